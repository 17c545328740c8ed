import { act, fireEvent, waitFor } from '@testing-library/react'
import { expect } from 'vitest'

/** A wallet that is asked to connect, and refuses once `press` has seen that it was asked. */
export const createRefusal = (error: unknown) => {
  let refuse = (): void => {}
  return {
    connect: (): Promise<never> =>
      new Promise((_, reject) => {
        refuse = () => reject(error)
      }),
    /** Presses a wallet's button, and waits until it can be pressed again. */
    press: async (button: HTMLElement): Promise<void> => {
      fireEvent.click(button)
      await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
      act(refuse)
      await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe(null))
    },
  }
}
