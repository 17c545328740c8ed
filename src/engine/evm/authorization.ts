import { type Address, type Hex, keccak256, stringToHex, toHex } from 'viem'
import type { PreparedAuthorization, TypedData } from '../../schema/authorization.js'
import type { AuthorizationKind } from '../../schema/orderMembers.js'

/** Permit2, which is at the same address on every EVM chain. */
export const permit2Address: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** What an authorization must say to pay for an order. */
export type AuthorizationTerms = {
  kind: AuthorizationKind
  chainId: number
  token: Address
  /** The domain of the token's own typed data. Permit2 alone needs none. */
  domain?: { name: string; version: string } | undefined
  /** The contract that brings payments to Permit2. */
  spender: Address
  /** Who pays. Absent where any account may. */
  payer?: Address | undefined
  /** The order's deposit address. */
  recipient: Address
  /** What is left to pay. @units base units of the token */
  units: bigint
  /** When the quote ends. @units epoch seconds */
  validBefore: bigint
  /** Absent where the payer's software chooses the nonce, and the time within the quote's. */
  nonce?: Hex | undefined
  /** The nonce of the payer's next permit at the token. Absent where it is not known, and then the token decides. */
  permitNonce?: bigint | undefined
}

/**
 * Returns the nonce of the authorization that pays one quote of an order. Another order or another quote has another
 * one, and a database that was restored from a backup has the same one again.
 */
export const nonceOfQuote = (quote: { orderId: string; units: bigint; deadlineMs: number }): Hex =>
  keccak256(stringToHex(`authorization:${quote.orderId}:${quote.units}:${quote.deadlineMs}`))

type Fields = readonly { name: string; type: string }[]

const toFields = (text: string): Fields =>
  text.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })

const tokenDomain = toFields('string name,string version,uint256 chainId,address verifyingContract')
const permit2Domain = toFields('string name,uint256 chainId,address verifyingContract')

const transferTypes = {
  EIP712Domain: tokenDomain,
  TransferWithAuthorization: toFields(
    'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
  ),
}

const permitTypes = {
  EIP712Domain: tokenDomain,
  Permit: toFields('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline'),
}

// Clients of x402 sign the same witness, for another spender.
const witnessTypes = {
  EIP712Domain: permit2Domain,
  PermitWitnessTransferFrom: toFields(
    'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness',
  ),
  TokenPermissions: toFields('address token,uint256 amount'),
  Witness: toFields('address to,uint256 validAfter'),
}

/** The terms of one authorization. The order itself proposes one that is valid at once. */
export type ProposedTerms = AuthorizationTerms & {
  payer: Address
  nonce: Hex
  /** @units epoch seconds */
  validAfter?: bigint
}

/** The domain of a token that has one of its own. */
const writeTokenDomain = ({ domain, chainId, token }: AuthorizationTerms) => ({
  name: domain?.name ?? '',
  version: domain?.version ?? '',
  chainId,
  verifyingContract: token,
})

const writeTransfer = (terms: ProposedTerms): TypedData => {
  const { kind, chainId, token, spender, payer, recipient, units, validBefore, nonce } = terms
  const validAfter = `${terms.validAfter ?? 0n}`
  if (kind === 'erc3009') {
    return {
      domain: writeTokenDomain(terms),
      types: transferTypes,
      primaryType: 'TransferWithAuthorization',
      message: {
        from: payer,
        to: recipient,
        value: `${units}`,
        validAfter,
        validBefore: `${validBefore}`,
        nonce,
      },
    }
  }
  return {
    domain: { name: 'Permit2', chainId, verifyingContract: permit2Address },
    types: witnessTypes,
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token, amount: `${units}` },
      spender,
      nonce: `${BigInt(nonce)}`,
      deadline: `${validBefore}`,
      witness: { to: recipient, validAfter },
    },
  }
}

const writePermit = (terms: ProposedTerms): TypedData => ({
  domain: writeTokenDomain(terms),
  types: permitTypes,
  primaryType: 'Permit',
  message: {
    owner: terms.payer,
    spender: permit2Address,
    value: `${terms.units}`,
    nonce: `${terms.permitNonce ?? 0n}`,
    deadline: `${terms.validBefore}`,
  },
})

/**
 * Writes the authorization that pays for an order, for the payer's wallet to sign: typed data of EIP-712. `permit` lets
 * Permit2 move the token, and is signed beside it where the payer has not allowed that yet.
 *
 * @units whole numbers are decimal strings, amounts in base units of the token, times in epoch seconds
 */
export const writeAuthorization = (terms: ProposedTerms): PreparedAuthorization => ({
  kind: terms.kind,
  typedData: writeTransfer(terms),
  ...(terms.kind === 'permit' && { permit: writePermit(terms) }),
})

/** Writes a number as a nonce of 32 bytes. */
export const toNonce = (number: bigint): Hex => toHex(number, { size: 32 })
