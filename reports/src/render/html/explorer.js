// The space-time diagram one can explore. The page holds what it shows: names as JSON, and the intervals
// and messages of the run as compressed numbers, which `explorer.rs` describes.
(() => {
  // Colours by kind, as the style names them: of each activity, of each while others are searched, and of what
  // was found.
  const FILLS = ['compute', 'overhead', 'waiting', 'compute-pale', 'overhead-pale', 'waiting-pale', 'found'];
  const KINDS = FILLS.length, FOUND = 6;
  const WORDS = ['computing', 'overhead in MPI', 'waiting'];
  const LEFT = 64, BOTTOM = 34, TOP = 6, RIGHT = 8, LINES_MAX = 3000, CELLS_MAX = 128;

  // Reads numbers of seven bits a byte, the lowest first.
  function unpack(meta, bytes) {
    let at = 0;
    const number = () => {
      let value = 0, scale = 1, byte;
      do { byte = bytes[at++]; value += (byte & 127) * scale; scale *= 128; } while (byte > 127);
      return value;
    };
    const signed = () => { const value = number(); return value % 2 ? -(value + 1) / 2 : value / 2; };
    const { ranks, intervals: n, messages: m } = meta;
    const run = {
      ...meta, first: new Uint32Array(ranks + 1),
      start: new Float64Array(n), end: new Float64Array(n), kind: new Uint8Array(n),
      call: new Uint32Array(n), site: new Uint32Array(n),
      sent: new Float64Array(m), arrived: new Float64Array(m), source: new Uint32Array(m),
      target: new Uint32Array(m), tag: new Float64Array(m), size: new Float64Array(m), slowest: 0,
    };
    for (let rank = 0, i = 0; rank < ranks; rank++) {
      let time = 0;
      for (let left = number(); left > 0; left--, i++) {
        run.start[i] = time += signed();
        run.end[i] = time += number();
        const what = number();
        run.kind[i] = what % 3;
        run.call[i] = Math.floor(what / 3);
        run.site[i] = number();
      }
      run.first[rank + 1] = i;
    }
    for (let i = 0, time = 0; i < m; i++) {
      run.sent[i] = time += number();
      const took = number();
      run.slowest = Math.max(run.slowest, took);
      run.arrived[i] = time + took;
      run.source[i] = number();
      run.target[i] = number();
      run.tag[i] = signed();
      run.size[i] = number();
    }
    return run;
  }

  // The first place in a sorted part of an array whose value is above the limit.
  function above(array, low, high, limit) {
    while (low < high) {
      const middle = (low + high) >> 1;
      if (array[middle] > limit) high = middle; else low = middle + 1;
    }
    return low;
  }

  function bytes(count) {
    const units = [['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 1024]];
    const found = units.find(([, scale]) => count >= scale);
    return found ? `${(count / found[1]).toFixed(1)} ${found[0]}` : `${count} B`;
  }

  const counted = count => count.toLocaleString('en-US');

  function time(text) {
    const found = /^([\d.]+)(s|ms|us|ns|ps)$/.exec(text);
    return found ? Number(found[1]) * UNITS.find(([unit]) => unit === found[2])[1] : NaN;
  }

  class Explorer {
    constructor(root, run, alone) {
      this.root = root;
      this.run = run;
      this.alone = alone;
      this.canvas = root.querySelector('canvas.time');
      this.grid = root.querySelector('canvas.matrix');
      this.tip = root.querySelector('.tip');
      this.status = root.querySelector('.status');
      this.find = root.querySelector('input');
      this.lines = [];
      this.matching = null;
      this.whole();
      if (alone) this.read(location.hash);
      this.listen();
      this.draw();
    }

    whole() {
      this.view = { t0: 0, t1: Math.max(this.run.makespan, 1), r0: 0, r1: this.run.ranks };
    }

    // Keeps the view inside the run and at least a picosecond and a rank wide.
    set(t0, t1, r0, r1) {
      const { makespan, ranks } = this.run;
      const inside = (low, high, most, least) => {
        const wide = Math.min(Math.max(high - low, least), Math.max(most, least));
        const from = Math.min(Math.max(low, 0), Math.max(most, least) - wide);
        return [from, from + wide];
      };
      [this.view.t0, this.view.t1] = inside(t0, t1, makespan, 1);
      [this.view.r0, this.view.r1] = inside(r0, r1, ranks, 1);
      this.later();
    }

    later() {
      if (this.pending) return;
      this.pending = requestAnimationFrame(() => { this.pending = 0; this.draw(); });
    }

    zoom(factor, x = 0.5, ranks = false) {
      const { t0, t1, r0, r1 } = this.view;
      const around = (low, high) => {
        const at = low + (high - low) * x;
        return [at - (at - low) * factor, at + (high - at) * factor];
      };
      if (ranks) this.set(t0, t1, ...around(r0, r1)); else this.set(...around(t0, t1), r0, r1);
    }

    pan(time, ranks) {
      const { t0, t1, r0, r1 } = this.view;
      const dt = time * (t1 - t0), dr = ranks * (r1 - r0);
      this.set(t0 + dt, t1 + dt, r0 + dr, r1 + dr);
    }

    // A view is also the end of the page's address: #t=10us..20us&r=0..7&find=MPI_Recv
    read(hash) {
      const words = new URLSearchParams(hash.replace(/^#/, ''));
      const span = (words.get('t') || '').split('..').map(time);
      const rows = (words.get('r') || '').split('..').map(Number);
      const { t0, t1, r0, r1 } = this.view;
      const times = span.length === 2 && span[0] < span[1] ? span : [t0, t1];
      const ranks = rows.length === 2 && rows[0] <= rows[1] ? [rows[0], rows[1] + 1] : [r0, r1];
      this.set(...times, ...ranks);
      if (words.get('find')) { this.find.value = words.get('find'); this.search(); }
    }

    keep() {
      if (!this.alone) return;
      clearTimeout(this.keeping);
      this.keeping = setTimeout(() => {
        const { t0, t1, r0, r1 } = this.view;
        keepInAddress({
          t: `${Math.round(t0)}ps..${Math.round(t1)}ps`,
          r: `${Math.floor(r0)}..${Math.ceil(r1) - 1}`,
          find: this.find.value,
        });
      }, 400);
    }

    listen() {
      const { canvas, root } = this;
      const place = event => {
        const box = canvas.getBoundingClientRect();
        return [(event.clientX - box.left - LEFT) / this.width, (event.clientY - box.top - TOP) / this.height];
      };
      canvas.addEventListener('wheel', event => {
        event.preventDefault();
        const [x, y] = place(event);
        const ranks = event.shiftKey || event.altKey;
        this.zoom(Math.exp((event.deltaY || event.deltaX) * 0.0015), ranks ? y : x, ranks);
      }, { passive: false });
      canvas.addEventListener('pointerdown', event => {
        canvas.setPointerCapture(event.pointerId);
        this.held = place(event);
      });
      canvas.addEventListener('pointermove', event => {
        const at = place(event);
        if (this.held) {
          this.pan(this.held[0] - at[0], this.held[1] - at[1]);
          this.held = at;
        }
        this.hover(at, event);
      });
      canvas.addEventListener('pointerup', () => { this.held = null; });
      canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
      canvas.addEventListener('dblclick', () => { this.whole(); this.later(); });
      canvas.addEventListener('keydown', event => this.key(event));
      this.grid.addEventListener('pointermove', event => this.hoverMatrix(event));
      this.grid.addEventListener('pointerleave', () => { this.tip.hidden = true; });
      const click = (name, act) => root.querySelector(`button.${name}`).addEventListener('click', act);
      click('in', () => this.zoom(0.5));
      click('out', () => this.zoom(2));
      click('all', () => { this.whole(); this.later(); });
      click('play', () => this.play());
      click('before', () => this.jump(-1));
      click('after', () => this.jump(1));
      this.find.addEventListener('input', () => this.search());
      this.find.addEventListener('keydown', event => {
        if (event.key === 'Enter') this.jump(event.shiftKey ? -1 : 1);
      });
      window.addEventListener('resize', () => this.later());
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.later());
    }

    key(event) {
      const keys = {
        ArrowLeft: () => this.pan(-0.2, 0), ArrowRight: () => this.pan(0.2, 0),
        ArrowUp: () => this.pan(0, -0.2), ArrowDown: () => this.pan(0, 0.2),
        '+': () => this.zoom(0.5), '=': () => this.zoom(0.5), '-': () => this.zoom(2),
        0: () => { this.whole(); this.later(); }, n: () => this.jump(1), p: () => this.jump(-1),
        ' ': () => this.play(), '/': () => this.find.focus(),
      };
      const act = !event.ctrlKey && !event.metaKey && !event.altKey && keys[event.key];
      if (act) { event.preventDefault(); act(); }
    }

    // Moves the window through the run.
    play() {
      const button = this.root.querySelector('button.play');
      if (this.playing) {
        cancelAnimationFrame(this.playing);
        this.playing = 0;
        button.textContent = 'Play';
        return;
      }
      const { makespan } = this.run;
      let { t0, t1, r0, r1 } = this.view;
      if (t1 - t0 > makespan / 2) [t0, t1] = [0, makespan / 20];
      if (t1 >= makespan) [t0, t1] = [0, t1 - t0];
      button.textContent = 'Stop';
      let last = performance.now();
      const step = now => {
        const move = (now - last) / 10000 * makespan;
        last = now;
        [t0, t1] = [t0 + move, t1 + move];
        this.set(t0, t1, r0, r1);
        this.playing = requestAnimationFrame(step);
        if (t1 >= makespan) this.play();
      };
      this.playing = requestAnimationFrame(step);
    }

    // Finds calls and source lines that contain the text, or the calls of one rank.
    search() {
      const text = this.find.value.trim().toLowerCase();
      const rank = /^rank (\d+)$/.exec(text);
      const has = name => name.toLowerCase().includes(text);
      this.matching = null;
      if (rank) this.matching = { rank: Number(rank[1]) };
      else if (text) this.matching = { calls: this.run.calls.map(has), sites: this.run.sites.map(has) };
      if (this.matching) this.matching.count = this.count();
      this.later();
    }

    matches(rank, i) {
      const { calls, sites, rank: only } = this.matching;
      return calls ? calls[this.run.call[i]] || sites[this.run.site[i]] : rank === only;
    }

    count() {
      let count = 0;
      this.each((rank, i) => { count += this.matches(rank, i); });
      return count;
    }

    each(act) {
      for (let rank = 0; rank < this.run.ranks; rank++) {
        for (let i = this.run.first[rank]; i < this.run.first[rank + 1]; i++) act(rank, i);
      }
    }

    // Shows the next match after the middle of the view, or the one before it.
    jump(way) {
      if (!this.matching) return;
      const { start, end } = this.run;
      const { t0, t1, r0, r1 } = this.view;
      const middle = this.shown && this.shown.t0 === t0 && this.shown.t1 === t1 ? this.shown.at : (t0 + t1) / 2;
      let best = null;
      this.each((rank, i) => {
        if (!this.matches(rank, i)) return;
        const ahead = (start[i] - middle) * way;
        if (ahead > 0 && (!best || ahead < best.ahead)) best = { ahead, rank, i };
      });
      if (!best) return;
      const wide = Math.min(t1 - t0, Math.max((end[best.i] - start[best.i]) * 20, this.run.makespan / 1e4, 1000));
      const rows = r1 - r0, at = start[best.i];
      const seen = best.rank >= r0 && best.rank + 1 <= r1;
      this.set(at - wide / 2, at + wide / 2, seen ? r0 : best.rank + 0.5 - rows / 2, seen ? r1 : best.rank + 0.5 + rows / 2);
      this.shown = { t0: this.view.t0, t1: this.view.t1, at };
    }

    draw() {
      const { canvas, run } = this;
      const style = getComputedStyle(this.root);
      const ink = style.getPropertyValue('--ink'), soft = style.getPropertyValue('--soft');
      this.fills = FILLS.map(name => style.getPropertyValue(`--${name}`));
      const full = canvas.clientWidth || 1000;
      const tall = Math.min(Math.max(run.ranks * 18, 180), 620) + TOP + BOTTOM;
      const scale = window.devicePixelRatio || 1;
      canvas.width = full * scale;
      canvas.height = tall * scale;
      canvas.style.height = `${tall}px`;
      this.width = full - LEFT - RIGHT;
      this.height = tall - TOP - BOTTOM;
      const c = canvas.getContext('2d');
      c.scale(scale, scale);
      c.clearRect(0, 0, full, tall);
      c.save();
      c.beginPath();
      c.rect(LEFT, TOP, this.width, this.height);
      c.clip();
      this.bars(c);
      const seen = this.arrows(c, ink);
      c.restore();
      this.axes(c, ink, soft);
      this.matrix(ink);
      this.tell(seen);
      this.keep();
    }

    // Draws for each row of pixels, or each rank where there is room, what most of each column was.
    bars(c) {
      const { run, view, width, height } = this;
      const k = width / (view.t1 - view.t0), row = height / (view.r1 - view.r0);
      const columns = Math.ceil(width);
      const parts = new Float32Array(KINDS * columns);
      const last = Math.min(run.ranks, Math.ceil(view.r1));
      let rank = Math.max(0, Math.floor(view.r0));
      while (rank < last) {
        const top = (rank - view.r0) * row;
        const thin = row < 3;
        let next = rank + 1;
        if (thin) while (next < last && Math.floor((next - view.r0) * row) === Math.floor(top)) next++;
        parts.fill(0);
        for (let r = rank; r < next; r++) this.cover(parts, columns, r, k);
        const y = thin ? Math.floor(top) : top + row * 0.15;
        const bottom = Math.floor((next - view.r0) * row);
        const tall = thin ? Math.max(bottom - y, 1) : Math.min(row * 0.7, row - 1);
        this.runs(c, parts, columns, TOP + y, tall);
        rank = next;
      }
    }

    cover(parts, columns, rank, k) {
      const { run, view, matching } = this;
      const end = run.first[rank + 1];
      for (let i = above(run.end, run.first[rank], end, view.t0); i < end && run.start[i] < view.t1; i++) {
        const found = matching && this.matches(rank, i);
        const kind = found ? FOUND : run.kind[i] + (matching ? 3 : 0);
        const base = kind * columns;
        const x0 = Math.max((run.start[i] - view.t0) * k, 0), x1 = Math.min((run.end[i] - view.t0) * k, columns);
        const from = Math.floor(x0), to = Math.min(Math.floor(x1), columns - 1);
        // A match is seen however short it is.
        const least = found ? 1 : 0;
        if (from === to) { parts[base + from] += Math.max(x1 - x0, least); continue; }
        parts[base + from] += Math.max(from + 1 - x0, least);
        for (let x = from + 1; x < to; x++) parts[base + x] += 1;
        parts[base + to] += x1 - to;
      }
    }

    runs(c, parts, columns, y, tall) {
      let begin = 0, present = -1;
      for (let x = 0; x <= columns; x++) {
        let most = 0, kind = -1;
        for (let k = 0; x < columns && k < KINDS; k++) {
          if (parts[k * columns + x] > most) { most = parts[k * columns + x]; kind = k; }
        }
        if (kind === present && x < columns) continue;
        if (present >= 0) {
          c.fillStyle = this.fills[present];
          c.fillRect(LEFT + begin, y, x - begin, tall);
        }
        begin = x;
        present = kind;
      }
    }

    arrows(c, ink) {
      const { run, view, width, height } = this;
      const first = above(run.sent, 0, run.messages, view.t0 - run.slowest);
      const visible = [];
      let begun = 0;
      for (let i = first; i < run.messages && run.sent[i] <= view.t1; i++) {
        const low = Math.min(run.source[i], run.target[i]), high = Math.max(run.source[i], run.target[i]);
        if (run.arrived[i] < view.t0 || high < Math.floor(view.r0) || low >= view.r1) continue;
        begun++;
        if (run.source[i] !== run.target[i]) visible.push(i);
      }
      const step = Math.max(1, Math.ceil(visible.length / LINES_MAX));
      const k = width / (view.t1 - view.t0), row = height / (view.r1 - view.r0);
      const drawn = Math.ceil(visible.length / step);
      c.strokeStyle = ink;
      c.fillStyle = ink;
      c.globalAlpha = drawn <= 150 ? 0.85 : drawn <= 600 ? 0.5 : 0.22;
      this.lines = [];
      for (let at = 0; at < visible.length; at += step) {
        const i = visible[at];
        const x0 = LEFT + (run.sent[i] - view.t0) * k, x1 = LEFT + (run.arrived[i] - view.t0) * k;
        const way = run.target[i] > run.source[i] ? 1 : -1, edge = row < 3 ? 0 : row * 0.35 * way;
        const y0 = TOP + (run.source[i] + 0.5 - view.r0) * row + edge;
        const y1 = TOP + (run.target[i] + 0.5 - view.r0) * row - edge;
        c.beginPath();
        c.moveTo(x0, y0);
        c.lineTo(x1, y1);
        c.stroke();
        if (drawn <= 400) this.head(c, x0, y0, x1, y1);
        this.lines.push([x0, y0, x1, y1, i]);
      }
      c.globalAlpha = 1;
      return { begun, step };
    }

    head(c, x0, y0, x1, y1) {
      const long = Math.hypot(x1 - x0, y1 - y0) || 1, ux = (x1 - x0) / long, uy = (y1 - y0) / long;
      c.beginPath();
      c.moveTo(x1, y1);
      c.lineTo(x1 - 7 * ux - 3 * uy, y1 - 7 * uy + 3 * ux);
      c.lineTo(x1 - 7 * ux + 3 * uy, y1 - 7 * uy - 3 * ux);
      c.fill();
    }

    axes(c, ink, soft) {
      const { view, width, height } = this;
      const span = view.t1 - view.t0;
      c.fillStyle = ink;
      c.strokeStyle = soft;
      c.font = '12px system-ui, sans-serif';
      c.strokeRect(LEFT - 0.5, TOP - 0.5, width + 1, height + 1);
      const raw = span / Math.max(2, Math.floor(width / 110)), power = 10 ** Math.floor(Math.log10(raw));
      const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= raw);
      c.textAlign = 'center';
      c.textBaseline = 'top';
      for (let t = Math.ceil(view.t0 / step) * step; t <= view.t1; t += step) {
        const x = LEFT + (t - view.t0) / span * width;
        c.beginPath();
        c.moveTo(x, TOP + height);
        c.lineTo(x, TOP + height + 4);
        c.stroke();
        if (x < LEFT + width - 24) c.fillText(duration(t, step), x, TOP + height + 7);
      }
      const row = height / (view.r1 - view.r0);
      let every = 1;
      while (every * row < 15) every *= 2;
      c.textAlign = 'right';
      c.textBaseline = 'middle';
      for (let rank = Math.ceil(view.r0 / every) * every; rank < view.r1; rank += every) {
        const y = TOP + (rank + 0.5 - view.r0) * row;
        if (y > TOP + 4 && y < TOP + height - 2) c.fillText(String(rank), LEFT - 8, y);
      }
      c.save();
      c.translate(12, TOP + height / 2);
      c.rotate(-Math.PI / 2);
      c.textAlign = 'center';
      c.fillText('rank', 0, 0);
      c.restore();
    }

    // Draws the bytes that are sent in the window, from each rank to each; messages if none has data.
    matrix(ink) {
      const { run, view, grid } = this;
      const block = Math.ceil(run.ranks / CELLS_MAX), side = Math.ceil(run.ranks / block);
      const bytes = new Float64Array(side * side), messages = new Float64Array(side * side);
      const last = above(run.sent, 0, run.messages, view.t1);
      for (let i = above(run.sent, 0, run.messages, view.t0 - 0.5); i < last; i++) {
        const cell = Math.floor(run.source[i] / block) * side + Math.floor(run.target[i] / block);
        bytes[cell] += run.size[i];
        messages[cell]++;
      }
      const values = bytes.some(value => value > 0) ? bytes : messages;
      const most = values.reduce((one, other) => Math.max(one, other), 0);
      const wide = grid.clientWidth || 300, scale = window.devicePixelRatio || 1, cell = wide / side;
      grid.width = grid.height = wide * scale;
      grid.style.height = `${wide}px`;
      const c = grid.getContext('2d'), dark = matchMedia('(prefers-color-scheme: dark)').matches;
      c.scale(scale, scale);
      for (let at = 0; at < values.length; at++) {
        if (!values[at]) continue;
        // The most stands out from the page: dark on white, light on black.
        const share = values[at] / most, part = dark ? 1 - share : share;
        c.fillStyle = `rgb(${Math.round(198 - 190 * part)},${Math.round(219 - 171 * part)},${Math.round(239 - 132 * part)})`;
        c.fillRect((at % side) * cell, Math.floor(at / side) * cell, Math.max(cell - (cell > 4 ? 1 : 0), 1), Math.max(cell - (cell > 4 ? 1 : 0), 1));
      }
      c.strokeStyle = ink;
      c.strokeRect(0.5, 0.5, wide - 1, wide - 1);
      this.cells = { block, side, bytes, messages, cell };
    }

    tell({ begun, step }) {
      const { run, view, root } = this;
      const ranks = `ranks ${Math.floor(view.r0)} to ${Math.min(Math.ceil(view.r1), run.ranks) - 1}`;
      const fine = (view.t1 - view.t0) / 1000;
      let text = `${duration(view.t0, fine)} to ${duration(view.t1, fine)}, ${ranks}, `
        + `${counted(begun)} messages`;
      if (step > 1) text += ` (one in ${step} drawn)`;
      if (run.every > 1) text += `; the page holds one message in ${run.every}`;
      if (this.matching) text += `; ${counted(this.matching.count)} calls found`;
      this.status.textContent = text;
      root.dataset.shown = text;
    }

    show(event, lines) {
      const { tip, root } = this;
      tip.hidden = !lines;
      if (!lines) return;
      tip.textContent = lines.join('\n');
      const box = root.getBoundingClientRect();
      const x = event.clientX - box.left, y = event.clientY - box.top;
      tip.style.left = `${Math.min(x + 14, box.width - tip.offsetWidth - 4)}px`;
      tip.style.top = `${y + 16}px`;
    }

    hover([x, y], event) {
      const { run, view } = this;
      if (x < 0 || x > 1 || y < 0 || y > 1) return this.show(event, null);
      const line = this.nearest(LEFT + x * this.width, TOP + y * this.height);
      if (line !== null) return this.show(event, this.message(line));
      const rank = Math.floor(view.r0 + y * (view.r1 - view.r0)), t = view.t0 + x * (view.t1 - view.t0);
      if (rank < 0 || rank >= run.ranks) return this.show(event, null);
      const i = above(run.end, run.first[rank], run.first[rank + 1], t);
      if (i >= run.first[rank + 1] || run.start[i] > t) return this.show(event, [`rank ${rank}`, duration(t, (view.t1 - view.t0) / 1000)]);
      const wide = run.end[i] - run.start[i];
      const lines = [
        `rank ${rank}: ${run.calls[run.call[i]]}, ${WORDS[run.kind[i]]}`,
        `${duration(run.start[i], wide / 1000)} to ${duration(run.end[i], wide / 1000)}: ${duration(wide)}`,
      ];
      if (run.site[i]) lines.push(run.sites[run.site[i]]);
      return this.show(event, lines);
    }

    message(i) {
      const { run } = this;
      const took = run.arrived[i] - run.sent[i];
      return [
        `message from rank ${run.source[i]} to rank ${run.target[i]}`,
        `${run.tag[i] < 0 ? 'inside a collective operation' : `tag ${run.tag[i]}`}, ${bytes(run.size[i])}`,
        `${duration(run.sent[i], took / 1000)} to ${duration(run.arrived[i], took / 1000)}: ${duration(took)}`,
      ];
    }

    // The message whose line is within four pixels of a place.
    nearest(x, y) {
      let best = 4, found = null;
      for (const [x0, y0, x1, y1, i] of this.lines) {
        const dx = x1 - x0, dy = y1 - y0, long = dx * dx + dy * dy || 1;
        const part = Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / long));
        const far = Math.hypot(x - x0 - part * dx, y - y0 - part * dy);
        if (far < best) { best = far; found = i; }
      }
      return found;
    }

    hoverMatrix(event) {
      const { block, side, bytes: sizes, messages, cell } = this.cells;
      const box = this.grid.getBoundingClientRect();
      const column = Math.floor((event.clientX - box.left) / cell), row = Math.floor((event.clientY - box.top) / cell);
      if (column < 0 || row < 0 || column >= side || row >= side) return this.show(event, null);
      const name = at => block === 1 ? `rank ${at}` : `ranks ${at * block} to ${Math.min((at + 1) * block, this.run.ranks) - 1}`;
      const at = row * side + column;
      return this.show(event, [`${name(row)} to ${name(column)}`, `${counted(messages[at])} messages, ${bytes(sizes[at])}`]);
    }
  }

  bringToLife('explorer', (root, names, bytes, alone) => new Explorer(root, unpack(names, bytes), alone));
})();
