/** Moves the focus to the current heading, so that reading and tabbing continue from there. */
export const focusHeading = (page: HTMLElement): void => {
  const target = page.querySelector('h1') ?? page
  target.tabIndex = -1
  target.focus({ preventScroll: true })
}
