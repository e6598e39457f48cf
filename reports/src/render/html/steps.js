// Steps through a list: one entry at a time is shown, until all are wanted again.
for (const list of document.querySelectorAll('ol.steps')) {
  const steps = [...list.children];
  if (steps.length < 2) continue;
  const tools = document.createElement('p');
  tools.className = 'stepping';
  const status = document.createElement('span');
  status.setAttribute('aria-live', 'polite');
  let now = -1;
  const show = (to) => {
    now = Math.max(-1, Math.min(to, steps.length - 1));
    list.classList.toggle('single', now >= 0);
    steps.forEach((step, at) => step.classList.toggle('now', at === now));
    status.textContent = now < 0 ? '' : ` ${now + 1} of ${steps.length}`;
    list.dataset.now = now;
  };
  const button = (text, to) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = text;
    made.addEventListener('click', () => show(to()));
    tools.append(made, ' ');
  };
  const marked = steps.findIndex((step) => step.classList.contains('differs'));
  button('First', () => 0);
  button('Back', () => Math.max(now - 1, 0));
  button('Next', () => now + 1);
  if (marked >= 0) button('Where they part', () => marked);
  button('All', () => -1);
  tools.append(status);
  list.before(tools);
}
