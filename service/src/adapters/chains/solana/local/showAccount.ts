import {
  type EncodedAccount,
  getBase58Decoder,
  getBase64Decoder,
  type MaybeEncodedAccount,
} from '@solana/kit'
import type { Cluster } from './cluster.js'
import { parseAccount } from './parseAccount.js'
import { commitmentOf, type RpcConfig, readBytes } from './readParams.js'
import { invalidParams, RpcError } from './rpcError.js'

const longestBase58 = 128

const tooLong = () =>
  new RpcError(
    -32600,
    'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
  )

const showData = (data: EncodedAccount['data'], { encoding, dataSlice }: RpcConfig): unknown => {
  const { offset = 0, length = data.length } = dataSlice ?? {}
  const part = data.slice(offset, offset + length)
  if (encoding === undefined || encoding === 'base58' || encoding === 'binary') {
    if (part.length > longestBase58) throw tooLong()
    const text = getBase58Decoder().decode(part)
    return encoding === 'base58' ? [text, 'base58'] : text
  }
  // A node answers with base64 too, where it cannot parse an account.
  if (encoding === 'base64' || encoding === 'jsonParsed') return [getBase64Decoder().decode(part), 'base64']
  throw invalidParams(`no encoding ${encoding}`)
}

/** Shows an account as the JSON-RPC interface does: `null` if there is none. */
export const showAccount = (
  cluster: Cluster,
  account: EncodedAccount | MaybeEncodedAccount,
  config: RpcConfig,
): unknown => {
  if ('exists' in account && !account.exists) return null
  const { lamports, programAddress, executable, data } = account
  const readMint = (address: EncodedAccount['address']) => cluster.readAccount(address, commitmentOf(config))
  const parsed = config.encoding === 'jsonParsed' ? parseAccount(account, readMint) : undefined
  return {
    lamports,
    owner: programAddress,
    executable,
    data: parsed ?? showData(data, config),
    rentEpoch: 2n ** 64n - 1n,
    space: data.length,
  }
}

type Filter = { dataSize?: unknown; memcmp?: unknown }
type Test = (account: EncodedAccount) => boolean

const readFilter = ({ dataSize, memcmp }: Filter): Test => {
  if (dataSize !== undefined) return ({ data }) => data.length === Number(dataSize)
  if (typeof memcmp !== 'object' || memcmp === null || !('offset' in memcmp) || !('bytes' in memcmp)) {
    throw invalidParams('filters: expected memcmp or dataSize')
  }
  const { offset, bytes } = memcmp
  const encoding = 'encoding' in memcmp ? String(memcmp.encoding) : 'base58'
  const wanted = readBytes(bytes, encoding)
  const at = Number(offset)
  return ({ data }) => Buffer.from(data.slice(at, at + wanted.length)).equals(wanted)
}

/** Creates the filter of a call, which selects accounts by their size, or by bytes that they contain. */
export const createAccountFilter = ({ filters = [] }: RpcConfig): Test => {
  const tests = filters.map(readFilter)
  return (account) => tests.every((test) => test(account))
}
