import type { Clock } from './clock.js'
import type { Random } from './random.js'

/** What goes wrong between the buyer and the service while it is away. */
export type Outage = 'refuses' | 'unavailable' | 'loses-answers' | 'hangs'

const outages: Readonly<Record<Outage, number>> = {
  refuses: 3,
  unavailable: 2,
  'loses-answers': 3,
  hangs: 1,
}

/** An answer that has arrived to its last byte. */
export const readWhole = async (answering: Promise<Response>): Promise<Response> => {
  const answer = await answering
  const text = await answer.text()
  return new Response(text === '' ? null : text, answer)
}

/** The buyer's line to the service, which may be away for a moment. */
export const createLine = (
  clock: Clock,
  fetch: typeof globalThis.fetch,
  random: Random,
  note: (text: string) => void,
) => {
  let outage: Outage | undefined
  let count = 0

  const comeBack = (): void => {
    if (outage) note('the service is back')
    outage = undefined
  }

  const hang = async (signal: AbortSignal | null | undefined): Promise<void> => {
    while (outage === 'hangs') {
      await clock.sleep(20)
      signal?.throwIfAborted()
    }
  }

  return {
    comeBack,
    goAway: (): void => {
      comeBack()
      outage = random.choose(outages)
      note(`the service is away: ${outage}`)
      count += 1
      const number = count
      void clock.sleep(random.between(30, 500)).then(() => {
        if (count === number) comeBack()
      })
    },
    fetch: (async (input, init) => {
      // The line carries no streams, so pages poll: the clock stands still until an answer has arrived whole.
      if (String(input).endsWith('/events')) return new Response(null, { status: 501 })
      await hang(init?.signal)
      if (outage === 'refuses') throw new TypeError('fetch failed')
      if (outage === 'unavailable') return new Response('', { status: 503 })
      const answer = await clock.during(() => readWhole(fetch(input, init)))
      // The call is done, but its answer is lost.
      if (outage === 'loses-answers') throw new TypeError('fetch failed')
      return answer
    }) as typeof globalThis.fetch,
  }
}

export type Line = ReturnType<typeof createLine>
