import fc from 'fast-check'
import { always, change, type Mutation } from './mutation.js'
import { optional } from './orderMutations.js'
import type { Scenario } from './scenario.js'

/** Answers with the truth in them, which must be paid: without them the others would prove nothing. */
export const honestAnswers = ({ order }: Scenario): Record<string, fc.Arbitrary<Mutation>> => {
  const harmless = (answer: unknown): Mutation => ({ ...always(answer), isHarmless: true })
  return {
    untouched: fc.constant(harmless(order)),
    'unknown fields': fc
      .dictionary(
        fc.string({ minLength: 1 }).map((name) => `x${name}`),
        fc.jsonValue(),
        { maxKeys: 4 },
      )
      .map((more) => harmless({ ...more, ...order, payment: { ...more, ...order.payment } })),
    'optional field missing': fc
      .tuple(fc.constantFrom(...optional), fc.constantFrom(undefined, null))
      .map(([path, nothing]) => harmless(change(order, path, nothing))),
  }
}
