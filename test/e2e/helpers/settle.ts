import type { Page } from 'playwright'

/** Waits for the transitions of colours to end: text has less contrast halfway through one. */
export const settle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
