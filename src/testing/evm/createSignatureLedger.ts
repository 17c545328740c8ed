import {
  type Address,
  decodeFunctionData,
  domainSeparator,
  encodeFunctionResult,
  getAddress,
  type Hex,
  maxUint256,
  parseAbi,
} from 'viem'
import { RpcError } from '../../chain/evm/rpcError.js'
import { permit2Address } from '../../engine/evm/authorization.js'
import type { AuthorizationKind } from '../../schema/orderMembers.js'

/** How the tokens of the test chains take signed payments, by currency. */
export type SignedCurrencies = Readonly<Record<string, AuthorizationKind>>

/** What a transaction that settles a signed payment uses up: a nonce at the token or Permit2, and perhaps a permit. */
export type SettledSignature = {
  contract: Address
  owner: Address
  nonce: bigint
  permitOf?: Address | undefined
}

type Coin = { currency: string; address: Address }

/** What the tokens of the test chains and Permit2 know of signatures. */
export type SignatureLedger = {
  isUsed(chainId: number, signature: SettledSignature): boolean
  use(chainId: number, signature: SettledSignature): void
  /** Returns the nonce of an owner's next permit at a token. */
  nextPermit(chainId: number, token: Address, owner: Address): bigint
  /** Answers a call of a token about signatures; undefined for any other call. */
  askToken(chainId: number, coin: Coin, data: Hex): Hex | undefined
  /** Answers a call of Permit2. */
  askPermit2(chainId: number, data: Hex): Hex
}

const abi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function nonces(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])
const permit2Abi = parseAbi(['function nonceBitmap(address owner, uint256 word) view returns (uint256)'])

/** Returns the domain of a token's typed data on a test chain. */
export const getTokenDomain = (currency: string) => ({ name: currency.toUpperCase(), version: '2' })

const decode = (data: Hex) => {
  try {
    return decodeFunctionData({ abi, data })
  } catch {
    return undefined
  }
}

/** Creates the ledger of what signed payments have used. */
export const createSignatureLedger = (currencies: SignedCurrencies): SignatureLedger => {
  const used = new Set<string>()
  const permits = new Map<string, bigint>()
  const key = (chainId: number, { contract, owner, nonce }: SettledSignature): string =>
    `${chainId} ${getAddress(contract)} ${getAddress(owner)} ${nonce}`
  const permitKey = (chainId: number, token: Address, owner: Address): string =>
    `${chainId} ${getAddress(token)} ${getAddress(owner)}`

  const ledger: SignatureLedger = {
    isUsed: (chainId, signature) => used.has(key(chainId, signature)),
    use: (chainId, signature) => {
      used.add(key(chainId, signature))
      const { permitOf, owner } = signature
      if (permitOf === undefined) return
      permits.set(permitKey(chainId, permitOf, owner), ledger.nextPermit(chainId, permitOf, owner) + 1n)
    },
    nextPermit: (chainId, token, owner) => permits.get(permitKey(chainId, token, owner)) ?? 0n,
    askToken: (chainId, { currency, address }, data) => {
      const kind = currencies[currency]
      const asked = kind && decode(data)
      if (!asked) return undefined
      switch (asked.functionName) {
        case 'DOMAIN_SEPARATOR': {
          const domain = { ...getTokenDomain(currency), chainId, verifyingContract: address }
          return domainSeparator({ domain })
        }
        case 'nonces': {
          const result = ledger.nextPermit(chainId, address, asked.args[0])
          return encodeFunctionResult({ abi, functionName: 'nonces', result })
        }
        case 'allowance':
          return encodeFunctionResult({
            abi,
            functionName: 'allowance',
            result: kind === 'permit2' ? maxUint256 : 0n,
          })
        case 'authorizationState': {
          const [owner, nonce] = asked.args
          const result = ledger.isUsed(chainId, { contract: address, owner, nonce: BigInt(nonce) })
          return encodeFunctionResult({ abi, functionName: 'authorizationState', result })
        }
      }
    },
    askPermit2: (chainId, data) => {
      const [owner, word] = readWord(data)
      let result = 0n
      for (let bit = 0n; bit < 256n; bit++) {
        const nonce = (word << 8n) | bit
        if (ledger.isUsed(chainId, { contract: permit2Address, owner, nonce })) result |= 1n << bit
      }
      return encodeFunctionResult({ abi: permit2Abi, result })
    },
  }
  return ledger
}

const readWord = (data: Hex): readonly [Address, bigint] => {
  try {
    return decodeFunctionData({ abi: permit2Abi, data }).args
  } catch {
    throw new RpcError(3, 'execution reverted', '0x')
  }
}
