/** Light or dark: as the system says, until the reader says otherwise. */
import { find } from './dom.ts';

const kept = 'muster-theme';

export function themeSwitch(): void {
  const choice = find('#theme') as HTMLSelectElement;
  const apply = (theme: string) => {
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  };
  choice.value = remembered();
  apply(choice.value);
  choice.addEventListener('change', () => {
    apply(choice.value);
    remember(choice.value);
  });
}

/** Some browsers keep nothing for files; then the choice lasts as long as the page. */
function remembered(): string {
  try {
    return localStorage.getItem(kept) ?? '';
  } catch {
    return '';
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(kept, theme);
  } catch {
    // Nothing to do: it is a convenience.
  }
}
