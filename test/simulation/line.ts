import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from './random.js'

/** What goes wrong between the buyer and the service while it is away. */
export type Outage = 'refuses' | 'unavailable' | 'loses-answers' | 'hangs'

const outages: Readonly<Record<Outage, number>> = {
  refuses: 3,
  unavailable: 2,
  'loses-answers': 3,
  hangs: 1,
}

/** The buyer's line to the service, which may be away for a moment. */
export const createLine = (fetch: typeof globalThis.fetch, random: Random, note: (text: string) => void) => {
  let outage: Outage | undefined
  let timer: NodeJS.Timeout | undefined

  const comeBack = (): void => {
    if (outage) note('the service is back')
    clearTimeout(timer)
    outage = undefined
  }

  const hang = async (signal: AbortSignal | null | undefined): Promise<void> => {
    while (outage === 'hangs') {
      await sleep(20)
      signal?.throwIfAborted()
    }
  }

  return {
    comeBack,
    goAway: (): void => {
      comeBack()
      outage = random.choose(outages)
      note(`the service is away: ${outage}`)
      timer = setTimeout(comeBack, random.between(30, 500))
    },
    fetch: (async (input, init) => {
      await hang(init?.signal)
      if (outage === 'refuses') throw new TypeError('fetch failed')
      if (outage === 'unavailable') return new Response('', { status: 503 })
      const answer = await fetch(input, init)
      // Done, but nobody learns of it.
      if (outage === 'loses-answers') throw new TypeError('fetch failed')
      return answer
    }) as typeof globalThis.fetch,
  }
}

export type Line = ReturnType<typeof createLine>
