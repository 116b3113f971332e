/** Light or dark: as the system is set, until the reader chooses. */
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

/** Some browsers store nothing for local files; then the choice lasts as long as the page. */
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
    // The choice is not stored; the page works without it.
  }
}
