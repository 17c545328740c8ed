import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  isErc6492Signature,
  parseAbi,
  parseErc6492Signature,
  parseSignature,
  size,
} from 'viem'
import type { AuthorizationWrite, StoredAuthorization } from '#base/ports/authorizations.js'
import { CallSequence } from '../artifacts/CallSequence.js'
import { PermitSpender } from '../artifacts/PermitSpender.js'
import { authorizationDeployments } from '../connection/addresses.js'
import type { OutboxCall } from '../outbox/outboxCall.js'
import { toHex } from '../outbox/signed.js'

/** A payment by an authorization, by the addresses of its token and its recipient. */
export type Settlement = Pick<AuthorizationWrite, 'units'> & {
  token: Address
  recipient: Address
  authorization: StoredAuthorization
}

/** The most gas that the operator pays for an authorization. A wallet or a token could take any amount. */
export const maxSettlementGas = 500_000n

const { permitSpender, callSequence } = authorizationDeployments

/** The functions of ERC-3009 that USDC has in two forms. */
export const transferAbi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
])

/** The bytes of an account's signature: `r`, `s` and `v`. */
const accountBytes = 65

const split = (signature: Hex) => {
  const { r, s, v, yParity } = parseSignature(signature)
  return { r, s, v: Number(v ?? BigInt(yParity + 27)) }
}

/** Returns the calls that make a signed transfer, the form that every such token has first. */
const transferCalls = (
  { token, recipient, units, authorization }: Settlement,
  signature: Hex,
): OutboxCall[] => {
  const { payer, validAfter, validBefore, nonce } = authorization
  const transfer = [
    getAddress(payer),
    recipient,
    units,
    BigInt(validAfter),
    BigInt(validBefore),
    toHex(nonce),
  ] as const
  const write = (rest: readonly [Hex] | readonly [number, Hex, Hex]): OutboxCall => ({
    to: token,
    data: encodeFunctionData({
      abi: transferAbi,
      functionName: 'transferWithAuthorization',
      args: [...transfer, ...rest] as never,
    }),
  })
  const asBytes = write([signature])
  if (size(signature) !== accountBytes) return [asBytes]
  const { v, r, s } = split(signature)
  return [write([v, r, s]), asBytes]
}

/** Returns the call that makes a payment by Permit2. */
const spendCall = ({ token, recipient, units, authorization }: Settlement, signature: Hex): OutboxCall => {
  const { kind, payer, validAfter, validBefore, nonce, permit } = authorization
  const payment = [
    { permitted: { token, amount: units }, nonce: BigInt(nonce), deadline: BigInt(validBefore) },
    getAddress(payer),
    { to: recipient, validAfter: BigInt(validAfter) },
    signature,
  ] as const
  const to = permitSpender.address
  if (kind !== 'permit' || !permit) {
    return { to, data: encodeFunctionData({ ...PermitSpender, functionName: 'pay', args: payment }) }
  }
  const approval = { value: units, deadline: BigInt(permit.deadline), ...split(toHex(permit.signature)) }
  const args = [approval, ...payment] as const
  return { to, data: encodeFunctionData({ ...PermitSpender, functionName: 'approveAndPay', args }) }
}

const callsBy = (settlement: Settlement, signature: Hex): OutboxCall[] =>
  settlement.authorization.kind === 'erc3009'
    ? transferCalls(settlement, signature)
    : [spendCall(settlement, signature)]

/**
 * Returns the calls by which an authorization can be settled, the likeliest first. One that the chain refuses may be of
 * a form that the token lacks. The signature of a wallet that is not deployed yet (ERC-6492) says how to deploy it.
 *
 * @param hasCode - Whether there is a contract at the payer's address.
 */
export const listSettleCalls = (settlement: Settlement, hasCode: boolean): OutboxCall[] => {
  const signature = toHex(settlement.authorization.signature)
  if (!isErc6492Signature(signature)) return callsBy(settlement, signature)
  const { address, data, signature: inner } = parseErc6492Signature(signature)
  const calls = callsBy(settlement, inner)
  if (hasCode || !address || !data) return calls
  return calls.map((call) => ({
    to: callSequence.address,
    data: encodeFunctionData({
      ...CallSequence,
      functionName: 'run',
      args: [
        [
          { to: address, data },
          { to: call.to, data: call.data },
        ],
      ],
    }),
  }))
}

/** Returns the contracts that settling an authorization needs beside the token. */
export const listSettleContracts = ({ kind, signature }: StoredAuthorization) => {
  const { permit2 } = authorizationDeployments
  return [
    ...(kind === 'erc3009' ? [] : [permit2, permitSpender]),
    ...(isErc6492Signature(toHex(signature)) ? [callSequence] : []),
  ]
}
