import { callNode } from '../callNode'
import { isRecord, readText } from '../read'
import { encodeBase58 } from './base58'

/** Where a token account says who owns it. */
const owner = { start: 32, end: 64 }

const readValue = (answer: unknown): unknown => (isRecord(answer) ? answer.value : undefined)

/** Asks the chain who holds a token of which there is one; undefined when it names no holder. */
export const findHolder = async (rpcUrl: string, mint: string): Promise<string | undefined> => {
  const options = { commitment: 'confirmed', encoding: 'base64' }
  const largest = readValue(await callNode(rpcUrl, 'getTokenLargestAccounts', [mint, options]))
  const held = Array.isArray(largest)
    ? largest.find((each) => isRecord(each) && each.amount === '1')
    : undefined
  const account = isRecord(held) ? readText(held.address) : undefined
  if (account === undefined) return undefined
  const known = readValue(await callNode(rpcUrl, 'getAccountInfo', [account, options]))
  const [base64] = isRecord(known) && Array.isArray(known.data) ? known.data : []
  if (typeof base64 !== 'string') return undefined
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return encodeBase58(bytes.slice(owner.start, owner.end))
}
