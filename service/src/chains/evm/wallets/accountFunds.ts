import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Address,
  type Hex,
  hexToBigInt,
  numberToHex,
  type PublicClient,
  serializeTransaction,
  size,
} from 'viem'
import type { Database } from '../../../db/database.js'
import { ServiceError } from '../../../errors.js'
import type { Outbox, OutboxCall } from '../outbox.js'
import { costOf, type PricedCall, readSignedCall } from '../signCall.js'
import { signedFrom } from '../signed.js'

/** Who pays for gas. */
export type Sponsor = { outbox: Outbox; operator: Address }

/** Whose funds these are, and who helps out with gas money. */
export type FundsOptions = {
  db: Database
  client: PublicClient
  chain: string
  chainId: number
  address: Address
  sponsor: Sponsor | undefined
  pollMs: number
}

/** Where chains that write their data to another chain (OP Stack) tell what that costs. */
const gasPriceOracle: Address = '0x420000000000000000000000000000000000000F'
const getL1Fee: Hex = '0x49948e0e'
/** Every signature makes a transaction this much longer. */
const signatureBytes = 67

/** What there is beside all that was signed before and is in no block yet. */
export const readSpare = async (
  { db, client, chain, address }: FundsOptions,
  exceptKey?: string,
): Promise<{ spareWei: bigint; isWaiting: boolean }> => {
  // Of one block: a call that lands between the two questions would count twice, or not at all.
  const blockNumber = await client.getBlockNumber({ cacheTime: 0 })
  const [balance, nonce] = await Promise.all([
    client.getBalance({ address, blockNumber }),
    client.getTransactionCount({ address, blockNumber }),
  ])
  const signed = await signedFrom(db, { chain, sender: address, nonce })
  const others = signed.filter(({ key }) => key !== exceptKey)
  return {
    spareWei: others.reduce((left, row) => left - costOf(readSignedCall(row)), balance),
    isWaiting: others.length > 0,
  }
}

/** What some chains take for the data of a transaction beside its gas, with a margin; 0 on all others. */
const readDataFee = async ({ client, chainId }: FundsOptions, call: PricedCall): Promise<bigint> => {
  const { to, data, value, gas, fees } = call
  const unsigned = serializeTransaction({ chainId, nonce: 0xffffff, to, data, value, gas, ...fees })
  const bytes = `${unsigned}${'ff'.repeat(signatureBytes)}` as Hex
  const length = BigInt(size(bytes))
  const words = [32n, length].map((word) => numberToHex(word, { size: 32 }).slice(2)).join('')
  const question = `${getL1Fee}${words}${bytes.slice(2)}${'00'.repeat(Number((32n - (length % 32n)) % 32n))}`
  const answer = await client.call({ to: gasPriceOracle, data: question as Hex }).catch(() => undefined)
  return answer?.data && size(answer.data) === 32 ? (hexToBigInt(answer.data) * 3n) / 2n : 0n
}

/** How often gas money is sent for one signing: fees may rise meanwhile. */
const mostGifts = 5
const looksPerGift = 10

const later = (message: string): ServiceError =>
  new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })

/** Waits until what was sent is seen: a node may show a receipt before the coins. */
const isSeen = async (options: FundsOptions, key: string, neededWei: bigint): Promise<boolean> => {
  for (let look = 0; look < looksPerGift; look++) {
    if ((await readSpare(options, key)).spareWei >= neededWei) return true
    await sleep(options.pollMs)
  }
  return false
}

/** Sends gas money, and waits for its block only: were that reorganised, the operator's outbox would send it again. */
const give = async (
  { client, chain, address: to }: FundsOptions,
  { outbox, operator }: Sponsor,
  key: string,
  value: bigint,
): Promise<void> => {
  const makeCall = async (): Promise<OutboxCall> => {
    const isRich = (await client.getBalance({ address: operator })) > value
    if (!isRich) throw later(`The operator has too little on ${chain} to pay for gas.`)
    return { to, data: '0x', value }
  }
  await new Promise<void>((resolve, reject) => {
    outbox.send(key, makeCall, { onLanded: resolve }).then((result) => {
      if (result.status === 'succeeded') resolve()
      else reject(later(`The operator's gas money did not arrive: ${result.reason}`))
    }, reject)
  })
}

/**
 * Sees to it that an account can pay for a call: its own coins pay for what goes with it, and then for gas; what lacks
 * of gas money comes from the operator, if it sponsors.
 *
 * @returns Why the account cannot pay, when nobody helps.
 */
export const affordCall = async (
  options: FundsOptions,
  key: string,
  call: PricedCall,
  attempt: number,
): Promise<string | undefined> => {
  const { sponsor, address, chain } = options
  const neededWei = costOf(call) + (await readDataFee(options, call))
  const { spareWei } = await readSpare(options, key)
  if (spareWei >= neededWei) return undefined
  if (!sponsor || spareWei < (call.value ?? 0n)) {
    return `the account has ${spareWei} wei to spare, less than the ${neededWei} that the call and its gas come to`
  }
  for (let gift = 0; gift < mostGifts; gift++) {
    const { spareWei: left } = await readSpare(options, key)
    if (left >= neededWei) return undefined
    await give(options, sponsor, `gas:${key}:${attempt}:${gift}`, neededWei - left)
    if (await isSeen(options, key, neededWei)) return undefined
  }
  throw later(`${chain} does not show the gas money of ${address}`)
}
