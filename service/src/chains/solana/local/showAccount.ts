import {
  type EncodedAccount,
  getBase58Decoder,
  getBase64Decoder,
  type MaybeEncodedAccount,
} from '@solana/kit'
import { type RpcConfig, readBytes } from './readParams.js'
import { invalidParams } from './rpcError.js'

const longestBase58 = 128

const showData = (data: EncodedAccount['data'], { encoding, dataSlice }: RpcConfig): unknown => {
  const { offset = 0, length = data.length } = dataSlice ?? {}
  const part = data.slice(offset, offset + length)
  if (encoding === undefined || encoding === 'base58' || encoding === 'binary') {
    if (part.length > longestBase58) throw invalidParams('more than 128 bytes are shown as base64 only')
    const text = getBase58Decoder().decode(part)
    return encoding === 'base58' ? [text, 'base58'] : text
  }
  // Nothing is parsed here. A node answers with base64 too, where it cannot parse an account.
  if (encoding === 'base64' || encoding === 'jsonParsed') return [getBase64Decoder().decode(part), 'base64']
  throw invalidParams(`no encoding ${encoding}`)
}

/** Shows an account as the JSON-RPC interface does: `null` if there is none. */
export const showAccount = (account: EncodedAccount | MaybeEncodedAccount, config: RpcConfig): unknown => {
  if ('exists' in account && !account.exists) return null
  const { lamports, programAddress, executable, data } = account
  return {
    ...{ lamports, owner: programAddress, executable },
    ...{ data: showData(data, config), rentEpoch: 2n ** 64n - 1n, space: data.length },
  }
}

type Filter = { dataSize?: unknown; memcmp?: unknown }

const matches = ({ data }: EncodedAccount, { dataSize, memcmp }: Filter): boolean => {
  if (dataSize !== undefined) return data.length === Number(dataSize)
  if (typeof memcmp !== 'object' || memcmp === null || !('offset' in memcmp) || !('bytes' in memcmp)) {
    throw invalidParams('filters: expected memcmp or dataSize')
  }
  const { offset, bytes } = memcmp
  const encoding = 'encoding' in memcmp ? String(memcmp.encoding) : 'base58'
  const wanted = readBytes(bytes, encoding)
  const at = Number(offset)
  return Buffer.from(data.slice(at, at + wanted.length)).equals(wanted)
}

/** Selects accounts by their size, or by bytes that they contain. */
export const filterAccounts = (accounts: EncodedAccount[], { filters = [] }: RpcConfig): EncodedAccount[] =>
  accounts.filter((account) => filters.every((filter) => matches(account, filter)))
