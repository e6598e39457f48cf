// The heat of the links over time: colours the lines of the picture by how busy their links are in each part
// of the run. The page holds these as compressed bytes, which `heat.rs` describes.
(() => {
  const LENGTH = 10000, SLOWLY = 20;

  class Heat {
    constructor(root, meta, busy, alone) {
      Object.assign(this, { root, meta, busy, alone, at: 0, playing: 0 });
      this.slider = root.querySelector('input');
      this.status = root.querySelector('.status');
      this.button = root.querySelector('button.play');
      // The picture itself stays as it is, for paper.
      const picture = root.querySelector('.picture figure');
      this.whole = picture.cloneNode(true);
      this.moment = picture.cloneNode(true);
      this.lines = [...this.moment.querySelectorAll('polyline')];
      this.widths = this.lines.map(line => Number(line.getAttribute('stroke-width')));
      this.widest = Math.max(1, ...this.widths.filter((_, i) => meta.lines[i] >= -1));
      const texts = [...this.moment.querySelectorAll('text')];
      const found = test => texts.find(text => test(text.textContent.trim()));
      this.most = found(text => text.endsWith('% of the run'));
      this.note = found(text => text.startsWith('hottest:'));
      this.listen();
      const asked = Number(new URLSearchParams(location.hash.slice(1)).get('heat'));
      this.show(alone && asked > 0 ? asked : 0);
    }

    listen() {
      const { root, slider } = this;
      slider.addEventListener('input', () => { this.stop(); this.show(Number(slider.value)); });
      this.button.addEventListener('click', () => this.play());
      root.querySelector('button.all').addEventListener('click', () => { this.stop(); this.show(0); });
      root.addEventListener('keydown', event => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === '0') { this.stop(); this.show(0); }
        if (event.key === ' ' && event.target.tagName !== 'BUTTON') { event.preventDefault(); this.play(); }
      });
    }

    // Shows a part of the run, counted from 1, or the whole run for 0.
    show(at) {
      const { meta, slider } = this;
      this.at = Math.min(Math.max(Math.round(at), 0), meta.parts);
      slider.value = this.at;
      const text = this.at ? this.paint() : `Whole run, 0 to ${duration(meta.makespan)}`;
      const shown = this.at ? this.moment : this.whole;
      const screen = this.root.querySelector('.screen');
      if (screen.firstChild !== shown) screen.replaceChildren(shown);
      slider.setAttribute('aria-valuetext', text);
      this.status.textContent = text;
      this.root.dataset.moment = text;
      this.keep();
    }

    // Colours the lines for the part that is shown, and returns what it shows.
    paint() {
      const { meta, busy } = this, part = this.at - 1;
      const share = link => busy[link * meta.parts + part] / 255;
      let hottest = 0;
      for (let link = 1; link < meta.links.length; link++) if (share(link) > share(hottest)) hottest = link;
      this.lines.forEach((line, i) => {
        const link = meta.lines[i];
        if (link === -2) { line.setAttribute('opacity', '0'); return; }
        const heat = link < 0 ? 0 : share(link);
        // The colours of the picture, which the style replaces on dark pages.
        line.setAttribute('stroke', meta.scale[Math.round(heat * (meta.scale.length - 1))]);
        line.setAttribute('stroke-width', String(Math.round(1 + heat * (this.widest - 1))));
      });
      const edge = at => Math.floor(at * meta.makespan / meta.parts);
      const most = share(hottest);
      const told = most > 0 ? `hottest: ${meta.links[hottest]}, busy ${(100 * most).toFixed(0)} %` : 'no link is busy';
      if (this.most) this.most.textContent = '100 % of the time shown';
      if (this.note) this.note.textContent = told;
      const step = meta.makespan / meta.parts;
      return `${duration(edge(part), step)} to ${duration(edge(part + 1), step)}; ${told}`;
    }

    play() {
      if (this.playing) { this.stop(); return; }
      const { parts } = this.meta;
      // Who asked the system for less motion sees a few still pictures, a second each.
      const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const step = calm ? Math.ceil(parts / SLOWLY) : 1, pause = calm ? 1000 : LENGTH / parts;
      if (this.at >= parts) this.show(0);
      this.button.textContent = 'Stop';
      this.status.setAttribute('aria-live', 'off');
      this.playing = setInterval(() => {
        this.show(Math.min(this.at + step, parts));
        if (this.at >= parts) this.stop();
      }, pause);
    }

    stop() {
      clearInterval(this.playing);
      this.playing = 0;
      this.button.textContent = 'Play';
      this.status.setAttribute('aria-live', 'polite');
    }

    keep() {
      if (!this.alone) return;
      clearTimeout(this.keeping);
      this.keeping = setTimeout(() => keepInAddress({ heat: this.at }), 400);
    }
  }

  bringToLife('heat', (root, meta, busy, alone) => new Heat(root, meta, busy, alone));
})();
