//! The names of attributes of vertices and cables, and what was probably meant by others.
//!
//! Files of Graphviz, GraphML and other tools have attributes of their own, which mean nothing here and are
//! ignored. One that was probably meant for the simulator is not, since without it a cable would have the
//! numbers of the machine.

use crate::nearest::suggested;

/// Where an attribute stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Vertex,
    Cable,
    Graph,
}

/// The attributes of cables, with other words for them.
const OF_CABLES: [(&str, &[&str]); 3] = [
    ("bandwidth", &["bandwidths", "bw", "rate", "speed", "capacity"]),
    ("latency", &["latencies", "delay"]),
    ("cables", &["cable"]),
];

/// The attribute of vertices.
const OF_VERTICES: &str = "kind";

/// Most letters that are wrong in a word that was meant.
const WRONG_MAX: usize = 2;

/// Checks the name of an attribute of an element.
///
/// # Errors
/// Returns what is wrong if the attribute belongs to elements of another sort, or is not known and was probably
/// meant to be one that is.
pub(super) fn check(name: &str, place: Place) -> Result<(), String> {
    let is_of_cable = OF_CABLES.iter().any(|(known, _)| *known == name);
    let meant = match place {
        Place::Vertex if is_of_cable => {
            return Err(format!("`{name}` is an attribute of edges, and this is one of a node"));
        }
        Place::Graph if is_of_cable => {
            return Err(format!(
                "`{name}` is an attribute of edges, and this is one of the graph; `edge [{name}=…]` is for all \
                 edges that follow"
            ));
        }
        Place::Vertex => of_vertex(name).filter(|_| name != OF_VERTICES),
        Place::Cable => of_cable(name).filter(|_| !is_of_cable),
        Place::Graph => None,
    };
    match meant {
        Some(_) => Err(format!(
            "`{name}` is not known{}; a node has `kind`, an edge has `bandwidth`, `latency` and `cables`, and other \
             attributes, such as those of Graphviz, are ignored",
            suggested(meant)
        )),
        None => Ok(()),
    }
}

/// Returns the attribute of cables that a word probably means.
pub(super) fn of_cable(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let means = |(name, others): &&(&str, &[&str])| {
        others.contains(&word.as_str()) || strsim::damerau_levenshtein(&word, name) <= WRONG_MAX
    };
    OF_CABLES.iter().find(means).map(|(name, _)| *name)
}

/// Returns the attribute of vertices if a word probably means it. It is too short for more than letters in another
/// order or case, or the plural.
fn of_vertex(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    ["kind", "kinds", "knid", "kidn", "iknd"].contains(&word.as_str()).then_some(OF_VERTICES)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The attributes of Graphviz 12 (https://graphviz.org/doc/info/attrs.html).
    const GRAPHVIZ: &str = "_background area arrowhead arrowsize arrowtail bb beautify bgcolor center charset \
        class cluster clusterrank color colorscheme comment compound concentrate constraint Damping decorate \
        defaultdist dim dimen dir diredgeconstraints distortion dpi edgehref edgetarget edgetooltip edgeURL \
        epsilon esep fillcolor fixedsize fontcolor fontname fontnames fontpath fontsize forcelabels \
        gradientangle group head_lp headclip headhref headlabel headport headtarget headtooltip headURL height \
        href id image imagepath imagepos imagescale inputscale K label label_scheme labelangle labeldistance \
        labelfloat labelfontcolor labelfontname labelfontsize labelhref labeljust labelloc labeltarget \
        labeltooltip labelURL landscape layer layerlistsep layers layerselect layersep layout len levels \
        levelsgap lhead lheight linelength lp ltail lwidth margin maxiter mclimit mindist minlen mode model \
        newrank nodesep nojustify normalize notranslate nslimit nslimit1 oneblock ordering orientation \
        outputorder overlap overlap_scaling overlap_shrink pack packmode pad page pagedir pencolor penwidth \
        peripheries pin pos quadtree quantum radius rank rankdir ranksep ratio rects regular remincross \
        repulsiveforce resolution root rotate rotation samehead sametail samplepoints scale searchsize sep \
        shape shapefile showboxes sides size skew smoothing sortv splines start style stylesheet tail_lp \
        tailclip tailhref taillabel tailport tailtarget tailtooltip tailURL target TBbalance tooltip \
        truecolor URL vertices viewport voro_margin weight width xdotversion xlabel xlp z";

    #[test]
    fn attributes_of_drawings_are_not_ours() {
        for name in GRAPHVIZ.split_whitespace() {
            for place in [Place::Vertex, Place::Cable, Place::Graph] {
                assert_eq!(check(name, place), Ok(()), "{name}");
            }
        }
    }

    #[test]
    fn what_was_meant_for_us_is_told() {
        for (name, place, meant) in [
            ("bandwith", Place::Cable, "`bandwidth`"),
            ("Bandwidth", Place::Cable, "`bandwidth`"),
            ("speed", Place::Cable, "`bandwidth`"),
            ("latncy", Place::Cable, "`latency`"),
            ("delay", Place::Cable, "`latency`"),
            ("cabels", Place::Cable, "`cables`"),
            ("Kind", Place::Vertex, "`kind`"),
        ] {
            let told = check(name, place).expect_err("it is misspelt");
            assert!(told.contains(&format!("did you mean {meant}")), "{told}");
        }
        for place in [Place::Vertex, Place::Graph] {
            assert!(check("bandwidth", place).is_err_and(|told| told.contains("of edges")));
        }
        for other in ["", "weight", "rack", "vendor", "interface"] {
            assert_eq!(check(other, Place::Cable), Ok(()), "{other}");
        }
    }
}
