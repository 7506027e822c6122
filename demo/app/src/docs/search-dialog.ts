import type { SearchEntry } from './search-entry.js';

const MAX_RESULTS = 12;

const MARKUP = `
  <label class="sr-only" for="docs-query">Search the documentation</label>
  <input id="docs-query" type="text" enterkeyhint="go" placeholder="Search the documentation" autocomplete="off" spellcheck="false"
    role="combobox" aria-expanded="false" aria-controls="docs-results" aria-autocomplete="list" />
  <p class="docs-search-state" role="status"></p>
  <ul id="docs-results" role="listbox" aria-label="Results"></ul>
  <form method="dialog"><button class="docs-search-close">Close</button></form>`;

/** Opens the search over the page. It loads its index then, once. `go` opens the address of a result. */
export function openSearch(root: HTMLElement, go: (address: string) => void): void {
  if (document.querySelector('dialog.docs-search-dialog')) return;
  const dialog = document.createElement('dialog');
  dialog.className = 'docs-search-dialog';
  dialog.ariaLabel = 'Search';
  dialog.innerHTML = MARKUP;
  dialog.addEventListener('close', () => dialog.remove());
  // A press on the backdrop meets the dialog itself.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  root.append(dialog);
  dialog.showModal();

  const input = within<HTMLInputElement>(dialog, 'input');
  const results = within<HTMLUListElement>(dialog, 'ul');
  const state = within(dialog, '[role=status]');

  async function update(): Promise<void> {
    const query = input.value;
    const { find } = await import('./search.js');
    if (input.value !== query) return;
    const found = find(query).slice(0, MAX_RESULTS);
    results.replaceChildren(...found.map(option));
    input.ariaExpanded = String(found.length > 0);
    state.textContent = query.trim() === '' ? '' : summary(found.length);
    choose(0);
  }

  function choose(place: number): void {
    const options = [...results.children];
    const chosen = options[(place + options.length) % (options.length || 1)];
    for (const each of options) each.ariaSelected = String(each === chosen);
    if (chosen) input.setAttribute('aria-activedescendant', chosen.id);
    else input.removeAttribute('aria-activedescendant');
    chosen?.scrollIntoView({ block: 'nearest' });
  }

  function open(chosen: Element | null | undefined): void {
    if (!(chosen instanceof HTMLElement) || chosen.dataset.address === undefined) return;
    dialog.close();
    go(chosen.dataset.address);
  }

  input.addEventListener('input', () => {
    update().catch(() => {
      state.textContent = 'The search could not be loaded. Check your connection, then type again.';
    });
  });
  input.addEventListener('keydown', (event) => {
    const at = [...results.children].findIndex(({ ariaSelected }) => ariaSelected === 'true');
    if (event.key === 'ArrowDown') choose(at + 1);
    else if (event.key === 'ArrowUp') choose(at - 1);
    else if (event.key === 'Enter') open(results.children[at]);
    else return;
    event.preventDefault();
  });
  results.addEventListener('click', ({ target }) => {
    if (target instanceof Element) open(target.closest('li'));
  });
}

const summary = (count: number): string =>
  count === 0 ? 'Nothing found.' : `${count} ${count === 1 ? 'result' : 'results'}`;

function within<E extends Element = Element>(root: Element, selector: string): E {
  const found = root.querySelector<E>(selector);
  if (!found) throw new Error(`The search has no ${selector}`);
  return found;
}

function option({ id, title, heading, excerpt }: SearchEntry, place: number): HTMLLIElement {
  const item = document.createElement('li');
  item.id = `docs-result-${place}`;
  item.role = 'option';
  item.dataset.address = id;
  const name = document.createElement('strong');
  name.textContent = heading === '' ? title : `${title} › ${heading}`;
  const text = document.createElement('span');
  text.textContent = excerpt;
  item.append(name, text);
  return item;
}
