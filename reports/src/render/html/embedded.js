// What the pictures share that a script brings to life. The page holds what such a picture shows in two elements:
// names as JSON, and numbers as compressed bytes.

const UNITS = [['s', 1e12], ['ms', 1e9], ['us', 1e6], ['ns', 1e3], ['ps', 1]];

// Calls `show` with each element of a class, its names and its bytes, and whether it is the only one: the
// address of a page tells of one picture.
function bringToLife(name, show) {
  const roots = document.querySelectorAll(`.${name}`);
  for (const root of roots) {
    unpacked(root, (names, bytes) => show(root, names, bytes, roots.length === 1))
      .catch(error => { root.dataset.failed = String(error); });
  }
}

async function unpacked(root, show) {
  // Without what this needs, the picture in the page stays.
  if (!('DecompressionStream' in window)) return;
  const names = JSON.parse(root.querySelector('.names').textContent);
  const packed = Uint8Array.from(atob(root.querySelector('.events').textContent.trim()), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  root.classList.add('live');
  show(names, bytes);
}

// A time in the unit that fits, with as many digits as differences of `step` need.
function duration(ps, step = ps / 1000) {
  const [unit, scale] = UNITS.find(([, scale]) => Math.abs(ps) >= scale) || UNITS[4];
  if (ps === 0) return '0';
  const digits = Math.ceil(Math.log10(scale / Math.max(Math.abs(step), 1)) - 1e-9);
  return `${(ps / scale).toFixed(Math.max(0, Math.min(12, digits)))} ${unit}`;
}

// Writes words into the page's address, or takes away those without a value, and leaves the words of other
// pictures as they are.
function keepInAddress(words) {
  const all = new URLSearchParams(location.hash.slice(1));
  for (const [word, value] of Object.entries(words)) {
    if (value) all.set(word, value); else all.delete(word);
  }
  const text = all.toString();
  const address = text ? `#${text}` : location.pathname + location.search;
  try { history.replaceState(null, '', address); } catch { /* A page inside another has no address. */ }
}
