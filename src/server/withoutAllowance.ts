import type { ServiceAnswer } from './callService.js'

/** An answer without what is left of the shop's allowance: a visitor could use it up, and see when it is. */
export const withoutAllowance = (answer: ServiceAnswer): ServiceAnswer => {
  const headers = new Headers(answer.headers)
  for (const name of ['limit', 'remaining', 'reset']) headers.delete(`ratelimit-${name}`)
  return { ...answer, headers }
}
