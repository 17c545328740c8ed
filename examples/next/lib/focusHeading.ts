/** Moves the focus to the heading of what a page shows now, so that reading and tabbing go on from there. */
export const focusHeading = (page: HTMLElement): void => {
  const target = page.querySelector('h1') ?? page
  target.tabIndex = -1
  target.focus({ preventScroll: true })
}
