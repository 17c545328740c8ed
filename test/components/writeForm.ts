import { act, fireEvent, screen } from '@testing-library/react'

/** The field that is called so. */
export const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

/** Writes into fields, by what they are called. */
export const write = (texts: Readonly<Record<string, string>>): void => {
  for (const [label, value] of Object.entries(texts)) fireEvent.change(field(label), { target: { value } })
}

/** Presses the button that sends a form. */
export const send = (): void => {
  fireEvent.click(screen.getByRole('button', { name: /^(Continue|Send the refund here|One moment…)$/ }))
}

/** What is said to be wrong with a field; undefined while nothing is. */
export const wrongOf = (label: string): string | undefined => {
  const input = field(label)
  if (input.getAttribute('aria-invalid') !== 'true') return undefined
  return document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent ?? undefined
}

/** Lets an effect that answers to a change of the checkout run. */
export const settle = (): Promise<void> => act(async () => {})
