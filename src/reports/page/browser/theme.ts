/** Light or dark: as the system says, until the reader says otherwise. */
import { requireElement } from './dom.ts';

const storageKey = 'muster-theme';

export function mountThemeSwitch(): void {
  const choice = requireElement('#theme') as HTMLSelectElement;
  const apply = (theme: string) => {
    if (theme === 'light' || theme === 'dark') {
      document.documentElement.dataset.theme = theme;
    } else {
      delete document.documentElement.dataset.theme;
    }
  };
  choice.value = readTheme();
  apply(choice.value);
  choice.addEventListener('change', () => {
    apply(choice.value);
    saveTheme(choice.value);
  });
}

/** Some browsers keep nothing for files; then the choice lasts as long as the page. */
function readTheme(): string {
  try {
    return localStorage.getItem(storageKey) ?? '';
  } catch {
    return '';
  }
}

function saveTheme(theme: string): void {
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // Nothing to do: it is a convenience.
  }
}
