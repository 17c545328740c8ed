import type { Page } from 'playwright'

/** Selects everything that is pressed, chosen or filled in. */
export const controls = ':is(a[href], button, input:not([type="hidden"]), select, textarea, summary)'

/** What a pointer or a keyboard does to controls: the pseudo-classes of a control, and of what is around it. */
const pseudoClasses = {
  hover: { own: ['hover'], around: ['hover'] },
  focus: { own: ['focus', 'focus-visible', 'focus-within'], around: ['focus-within'] },
  pressed: { own: ['hover', 'active'], around: ['hover', 'active'] },
}

/** A state of controls that a pointer or a keyboard makes. */
export type PseudoState = 'rest' | keyof typeof pseudoClasses

export const pseudoStates = ['rest', 'hover', 'focus', 'pressed'] as const satisfies PseudoState[]

/**
 * Does something while every control of a page is drawn as under the mouse, with the focus, or pressed. Only the
 * drawing changes: the page hears no event, so no press pays.
 */
export const withPseudoState = async <Result>(
  page: Page,
  state: PseudoState,
  work: () => Promise<Result>,
): Promise<Result> => {
  if (state === 'rest') return work()
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('DOM.enable')
    await session.send('CSS.enable')
    const { root } = await session.send('DOM.getDocument', { depth: 0 })
    const force = async (selector: string, forcedPseudoClasses: string[]): Promise<void> => {
      const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector })
      const answers = await Promise.allSettled(
        nodeIds.map((nodeId) => session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses })),
      )
      const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
      const unknown = errors.find((error) => !/Could not find node/.test(String(error)))
      if (unknown) throw unknown
      // The page has replaced a node since it was found.
      if (errors.length > 0) await force(selector, forcedPseudoClasses)
    }
    await force(`:has(${controls})`, pseudoClasses[state].around)
    await force(controls, pseudoClasses[state].own)
    return await work()
  } finally {
    await session.detach()
  }
}
