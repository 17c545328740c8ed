import { type Hex, keccak256 } from 'viem'
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
  txId?: Hex
  /** What the buyer has put in the transaction's place since, by the wallet's own buttons. */
  replacedBy?: Hex
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
  const relay = async (signed: Hex, broadcast: () => Promise<Hex>): Promise<Hex> => {
    const choices = random.fork(`relay ${++relays}`)
    if (choices.chance(0.4)) return broadcast()
    const hash = keccak256(signed)
    relayed = clock
      .sleep(choices.between(20, 1200))
      .then(() => clock.during(broadcast))
      .then(() => note(`the chain has ${hash}`))
    return hash
  }

  const ask = (gate: Gate, send: () => Promise<Hex>): Promise<Hex> => {
    const number = requests.length + 1
    const choices = random.fork(`request ${number}`)
    const manner = choices.choose(manners)
    const lateMs = choices.between(5, 250)
    note(`the wallet is asked to pay, request ${number}: ${manner}`)
    if (requests.some(({ isRefused }, index) => index >= chosenUpTo && !isRefused)) unexcused.push(number)
    return new Promise((resolve, reject) => {
      const request: Request = {
        state: 'open',
        manner,
        isRefused: false,
        approve: async () => {
          if (request.state !== 'open') return
          request.state = 'sending'
          const sending = queue.then(() => clock.during(send))
          queue = sending.then(() => relayed).catch(() => undefined)
          try {
            request.txId = await sending
            request.state = 'sent'
            note(`request ${number} is sent: ${request.txId}`)
            onSent(request, choices.fork('sent'))
            if (manner === 'breaks-after-sending') reject(broken())
            else if (manner !== 'signs-silently') resolve(request.txId)
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
          reject(broken())
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
    return requests.some(({ state }) => state === 'sending' || state === 'sent') ? 'sent' : 'nothing'
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
