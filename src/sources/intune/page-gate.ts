/** Lets one walk of a list wait until another has a certain number of pages. */

export interface PageGate {
  /** The first walk has one page more. */
  pass(): void;
  /** The first walk has ended, whole or not. */
  end(): void;
  /** Whether the first walk has that many pages; answered as soon as it has, or has ended. */
  hasPages(pages: number): Promise<boolean>;
}

export function createPageGate(): PageGate {
  let passed = 0;
  let hasEnded = false;
  let wake: () => void = () => undefined;
  let change = new Promise<void>((resolve) => {
    wake = resolve;
  });

  function announce(): void {
    wake();
    change = new Promise((resolve) => {
      wake = resolve;
    });
  }

  return {
    pass() {
      passed += 1;
      announce();
    },
    end() {
      hasEnded = true;
      announce();
    },
    async hasPages(pages) {
      while (passed < pages && !hasEnded) {
        await change;
      }
      return passed >= pages;
    },
  };
}
