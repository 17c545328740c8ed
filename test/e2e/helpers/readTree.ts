import type { Locator } from 'playwright'

const roles =
  /^(alert|article|button|complementary|dialog|group|heading|img|link|radio|region|spinbutton|status|textbox|timer)\b/

/**
 * Reads what assistive technology is given, a line an element in the order it is read: its role, its name, its
 * state. What is left of a price is written as `…`.
 */
export const readTree = async (root: Locator): Promise<string[]> =>
  (await root.ariaSnapshot())
    .split('\n')
    .map((line) => line.trim().replace(/^- /, '').replace(/:$/, ''))
    .filter((line) => roles.test(line))
    .map((line) => line.replace(/^timer .*/, 'timer …'))
