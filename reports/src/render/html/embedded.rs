//! What the pictures share that a script brings to life: how their data are written into a page, and the
//! script.

use std::io::Write;

use data_encoding::BASE64;
use flate2::{Compression, write::ZlibEncoder};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

/// The script of all these pictures: what they share, then each of them in a function of its own.
const SCRIPT: &str = concat!(
    "(() => {\n'use strict';\n",
    include_str!("embedded.js"),
    include_str!("heat.js"),
    include_str!("explorer.js"),
    include_str!("steps.js"),
    "})();\n"
);

/// Returns the script that brings the pictures of a page to life. It stands once, after all of them.
pub(super) fn script() -> Markup {
    html! { script { (PreEscaped(SCRIPT)) } }
}

/// Returns the elements with the data of a picture, which its script reads.
pub(super) fn data(names: &impl Serialize, numbers: &str) -> Markup {
    // A name may hold `</script>`.
    let names = serde_json::to_string(names).expect("plain data").replace('<', "\\u003c");
    html! {
        script.names type="application/json" { (PreEscaped(names)) }
        script.events type="application/octet-stream" { (PreEscaped(numbers)) }
    }
}

/// Bytes for a page, compressed (zlib) as they are written.
pub(super) struct Compressor(ZlibEncoder<Vec<u8>>);

impl Compressor {
    pub(super) fn new() -> Self {
        Self(ZlibEncoder::new(Vec::new(), Compression::default()))
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).expect("memory takes all");
    }

    /// Returns all that was written, in Base64.
    pub(super) fn text(self) -> String {
        BASE64.encode(&self.0.finish().expect("memory takes all"))
    }
}

/// Returns the bytes of a text that a [`Compressor`] made.
#[cfg(test)]
pub(super) fn plain(text: &str) -> Vec<u8> {
    use std::io::Read;

    let bytes = BASE64.decode(text.as_bytes()).expect("Base64");
    let mut plain = Vec::new();
    flate2::read::ZlibDecoder::new(&bytes[..]).read_to_end(&mut plain).expect("zlib");
    plain
}
