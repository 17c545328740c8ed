import type { ServiceAnswer } from './callService.js'

/**
 * Removes the shop's remaining rate limit from an answer, so that a visitor cannot watch it while using it
 * up.
 */
export const withoutAllowance = (answer: ServiceAnswer): ServiceAnswer => {
  const headers = new Headers(answer.headers)
  for (const name of ['limit', 'remaining', 'reset']) headers.delete(`ratelimit-${name}`)
  return { ...answer, headers }
}
