import type { PayStep } from '../../src/query.js'
import type { Requests } from './askedWallet.js'
import type { Clock } from './clock.js'
import type { Line } from './line.js'
import type { Page } from './page.js'
import type { Random } from './random.js'

/** What a buyer acts on. */
export type Surroundings = {
  clock: Clock
  random: Random
  requests: Requests
  line: Line
  openPage(name: string): Page
  note(text: string): void
}

const actions = {
  pay: 30,
  'pay twice': 5,
  reload: 22,
  'open a tab': 12,
  'close a tab': 8,
  'tend the wallet': 8,
  'pay again': 10,
  reset: 3,
  outage: 8,
}

const moments: Readonly<Record<PayStep['status'] | 'any', number>> = {
  any: 4,
  idle: 1,
  connecting: 1,
  checking: 2,
  'switching-chain': 1,
  'awaiting-signature': 4,
  broadcast: 3,
  confirming: 7,
  paid: 2,
  uncertain: 3,
  failed: 2,
}

const isUncertain = (page: Page): boolean => page.getStep().status === 'uncertain'

/** A buyer in front of their tabs: at first they do anything at any moment, in the end they want to be done. */
export const createBuyerAtTabs = (world: Surroundings) => {
  const { clock, random, requests, line, note } = world
  const isCareless = random.chance(0.2)
  const pages: Page[] = []
  let opened = 0

  const open = (): void => {
    opened += 1
    pages.push(world.openPage(`page ${opened}`))
  }
  const close = (page: Page): void => {
    pages.splice(pages.indexOf(page), 1)
    page.leave()
  }
  const payAgain = (page: Page): void => {
    requests.choose()
    note(`the wallet shows: ${requests.look()}`)
    page.pay({ isAgain: true })
  }

  const awaitMoment = async (): Promise<void> => {
    const status = random.choose(moments)
    const untilMs = clock.now() + random.between(10, 200)
    while (clock.now() < untilMs && !pages.some((page) => page.getStep().status === status))
      await clock.sleep(5)
    if (random.chance(0.4)) await clock.sleep(random.between(0, 15))
  }

  const tendWallet = (): void => {
    const request = requests.find('open')
    switch (random.choose({ approve: 3, refuse: 1, forget: 1 })) {
      case 'approve':
        void request?.approve()
        break
      case 'refuse':
        request?.refuse()
        break
      case 'forget':
        request?.forget()
    }
  }

  const act = async (): Promise<void> => {
    const page = random.pick(pages)
    const action = random.choose(actions)
    if (!page) return open()
    switch (action) {
      case 'pay':
        return page.pay()
      case 'pay twice':
        page.pay()
        return page.pay()
      case 'reload':
        close(page)
        if (random.chance(0.3)) await clock.sleep(random.between(1, 150))
        return open()
      case 'open a tab':
        return pages.length < 3 ? open() : undefined
      case 'close a tab':
        return close(page)
      case 'tend the wallet':
        return tendWallet()
      case 'pay again': {
        const unsure = pages.find(isUncertain)
        if (unsure && (isCareless || requests.look() === 'nothing')) payAgain(unsure)
        return
      }
      case 'reset':
        return page.reset()
      case 'outage':
        return line.goAway()
    }
  }

  /** Does what an honest buyer does who sees this step and wants the goods. */
  const finish = (page: Page): void => {
    const shown = requests.look()
    const step = page.getStep()
    switch (step.status) {
      case 'failed':
        if (step.error.code === 'pay.quote-expired') page.refresh()
        else page.pay()
        return
      case 'idle':
        page.pay()
        return
      case 'uncertain':
        if (isCareless && random.chance(0.5)) payAgain(page)
        else if (shown === 'open') void requests.find('open')?.approve()
        else if (shown === 'nothing') payAgain(page)
        return
      case 'awaiting-signature':
        if (shown === 'open') void requests.find('open')?.approve()
        else if (random.chance(0.1)) {
          // The wallet shows nothing more, and the page waits for it in vain.
          close(page)
          open()
        }
    }
  }

  return {
    /** Does anything, in any order. */
    fumble: async (): Promise<void> => {
      open()
      for (let left = random.between(2, 12); left > 0; left -= 1) {
        await awaitMoment()
        await act()
      }
    },
    /**
     * Goes on calmly until the order is completed.
     *
     * @returns Whether it was within the time.
     */
    settleDown: async (withinMs: number): Promise<boolean> => {
      note('the buyer calms down')
      line.comeBack()
      if (random.chance(0.5)) for (const page of pages.slice(1)) close(page)
      const endMs = clock.now() + withinMs
      while (clock.now() < endMs) {
        if (!pages.length) open()
        if (pages.some((page) => page.getOrder()?.phase === 'completed')) return true
        const page = random.pick(pages)
        if (page && page.getOrder()?.phase === 'payment') finish(page)
        await clock.sleep(random.between(20, 60))
      }
      return false
    },
    /** Walks away: whatever is still open in the wallet is signed by the careless and refused by others. */
    walkAway: (): void => {
      for (const page of [...pages]) close(page)
      for (const request of requests.requests) {
        if (isCareless) void request.approve()
        else request.refuse()
      }
    },
  }
}
