import { ProviderError } from '../helpers/scriptedWallet.js'
import type { Clock } from './clock.js'
import type { Gate } from './gate.js'
import type { Random } from './random.js'

/** How the wallet takes a request to pay. */
export type Manner =
  | 'signs'
  | 'signs-late'
  | 'signs-when-left'
  | 'signs-silently'
  | 'breaks-after-sending'
  | 'breaks'
  | 'refuses'
  | 'stalls'
  | 'forgets'

/** One payment the wallet was asked for. */
export type Request = {
  /** `open`: its dialog is shown. `gone`: it will never be paid. */
  state: 'open' | 'sending' | 'sent' | 'gone'
  manner: Manner
  /** Whether the page that asked has heard that it will never be paid. */
  isRefused: boolean
  txId?: string
  /** What the buyer has put in the transaction's place since, by the wallet's own buttons. */
  replacedBy?: string
  /** Whether the network is proved to take no such payment any more. */
  isOver(): boolean
  approve(): Promise<void>
  refuse(): void
  /** Closes the dialog without an answer. */
  forget(): void
}

const manners: Readonly<Record<Manner, number>> = {
  signs: 14,
  'signs-late': 18,
  'signs-when-left': 14,
  'signs-silently': 6,
  'breaks-after-sending': 12,
  breaks: 6,
  refuses: 12,
  stalls: 16,
  forgets: 6,
}

/** What a family of chains knows of a request. */
export type AskOptions = {
  /** Whether the network is proved to take no such payment any more. */
  isOver?: () => boolean
  /** Whether the wallet leaves the sending to the page. */
  isSigningOnly?: boolean
}

const broken = (): Error => new Error('the connection to the wallet was lost')

/**
 * The requests to pay that one buyer's wallet was asked, whichever page asked; they outlive the page.
 *
 * @param onSent - Hears of each that was sent.
 */
export const createRequests = (
  clock: Clock,
  random: Random,
  note: (text: string) => void,
  onSent: (request: Request, random: Random) => void = () => undefined,
) => {
  const requests: Request[] = []
  /** Requests that nothing excused: an earlier one was not refused, and the buyer did not choose to pay again. */
  const unexcused: number[] = []
  let chosenUpTo = 0
  let wrongChoices = 0
  // A wallet numbers its transactions one after the other.
  let queue: Promise<unknown> = Promise.resolve()
  let relayed: Promise<unknown> = Promise.resolve()
  let relays = 0

  // The wallet has its own node, which may take a while to pass on what it was given.
  const relay = async <Hash extends string>(hash: Hash, broadcast: () => Promise<Hash>): Promise<Hash> => {
    const choices = random.fork(`relay ${++relays}`)
    if (choices.chance(0.4)) return broadcast()
    relayed = clock
      .sleep(choices.between(20, 1200))
      .then(() => clock.during(broadcast))
      .then(() => note(`the chain has ${hash}`))
    return hash
  }

  const ask = <Hash extends string>(
    gate: Gate,
    send: () => Promise<Hash>,
    { isOver = () => false, isSigningOnly = false }: AskOptions = {},
  ): Promise<Hash> => {
    const number = requests.length + 1
    const choices = random.fork(`request ${number}`)
    const manner = choices.choose(manners)
    const lateMs = choices.between(5, 250)
    note(`the wallet is asked to pay, request ${number}: ${manner}`)
    const mayBePaid = (earlier: Request): boolean => !earlier.isRefused && !earlier.isOver()
    if (requests.slice(chosenUpTo).some(mayBePaid)) unexcused.push(number)
    return new Promise((resolve, reject) => {
      const lose = (): void => {
        // A page that hears that a wallet has signed nothing knows that nothing was sent.
        if (isSigningOnly && !gate.isGone) Object.assign(request, { state: 'gone', isRefused: true })
        reject(broken())
      }
      const request: Request = {
        state: 'open',
        manner,
        isRefused: false,
        isOver,
        approve: async () => {
          if (request.state !== 'open') return
          request.state = 'sending'
          const sending = queue.then(() => clock.during(send))
          queue = sending.then(() => relayed).catch(() => undefined)
          try {
            const txId = await sending
            request.txId = txId
            request.state = 'sent'
            note(`request ${number} is sent: ${request.txId}`)
            onSent(request, choices.fork('sent'))
            if (manner === 'breaks-after-sending') lose()
            else if (manner !== 'signs-silently') resolve(txId)
          } catch (error) {
            request.state = 'gone'
            request.isRefused = !gate.isGone
            note(`request ${number} cannot be sent: ${error}`)
            reject(error)
          }
        },
        refuse: () => {
          if (request.state !== 'open') return
          request.state = 'gone'
          request.isRefused = !gate.isGone
          note(`request ${number} is refused${gate.isGone ? ', after the page has gone' : ''}`)
          reject(new ProviderError(4001, 'User rejected the request.'))
        },
        forget: () => {
          if (request.state !== 'open') return
          request.state = 'gone'
          note(`request ${number} is closed without an answer`)
        },
      }
      requests.push(request)
      switch (manner) {
        case 'signs':
        case 'signs-silently':
        case 'breaks-after-sending':
          void request.approve()
          break
        case 'signs-late':
          void clock.sleep(lateMs).then(request.approve)
          break
        case 'refuses':
          void clock.sleep(lateMs).then(request.refuse)
          break
        case 'forgets':
          void clock.sleep(lateMs).then(request.forget)
          break
        case 'breaks':
          request.state = 'gone'
          note(`request ${number} is lost on its way`)
          lose()
          break
        case 'signs-when-left':
          gate.onClose(() => void clock.sleep(lateMs).then(request.approve))
          break
        case 'stalls':
          // Some wallets close the dialog of a page that left; others keep it.
          if (choices.chance(0.3)) gate.onClose(request.forget)
      }
    })
  }

  /** What a buyer sees who looks: a payment that waits for them, one that is on its way, or none at all. */
  const look = (): 'open' | 'sent' | 'nothing' => {
    if (requests.some(({ state }) => state === 'open')) return 'open'
    const isSent = ({ state, isOver }: Request): boolean =>
      state === 'sending' || (state === 'sent' && !isOver())
    return requests.some(isSent) ? 'sent' : 'nothing'
  }

  return {
    requests,
    unexcused,
    ask,
    relay,
    look,
    /** The buyer chooses to pay again; wrongly, when the wallet shows a payment. */
    choose: (): void => {
      chosenUpTo = requests.length
      if (look() !== 'nothing') wrongChoices += 1
    },
    getWrongChoices: (): number => wrongChoices,
    find: (state: Request['state']): Request | undefined =>
      requests.find((request) => request.state === state),
  }
}

export type Requests = ReturnType<typeof createRequests>
