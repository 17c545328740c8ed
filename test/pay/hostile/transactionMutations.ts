import fc from 'fast-check'
import {
  type Address,
  concatHex,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  hexToBytes,
  parseAbi,
  serializeTransaction,
  zeroAddress,
} from 'viem'
import { getDepositAddress, toOrderReference } from '../../../src/chain/index.js'
import { contracts, deadline, deposit, payer, routerPay, transfer, usdc } from '../../chain/evm/payable.js'
import { always, differs, type Mutation } from './mutation.js'
import type { Scenario } from './scenario.js'

const hex = (minLength: number, maxLength = minLength): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength, maxLength }).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
const address = hex(20).map((bytes): Address => getAddress(bytes))
const word = hex(32)
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

const abi = parseAbi([
  'function increaseAllowance(address spender, uint256 added)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function multicall(bytes[] calls)',
  'function execute(address to, uint256 value, bytes data)',
  'function setApprovalForAll(address operator, bool approved)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function transferOwnership(address owner)',
])

/** Calls that would misuse the buyer's money, alone or around the real payment. */
const otherCall = (data: Hex): fc.Arbitrary<Hex> =>
  fc.tuple(address, uint, word).chain(([who, amount, bytes]) =>
    fc.constantFrom<Hex>(
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [who, amount] }),
      encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [payer, who, amount] }),
      encodeFunctionData({ abi, functionName: 'increaseAllowance', args: [who, amount] }),
      encodeFunctionData({
        abi,
        functionName: 'permit',
        args: [payer, who, amount, amount, 27, bytes, bytes],
      }),
      encodeFunctionData({ abi, functionName: 'multicall', args: [[data]] }),
      encodeFunctionData({ abi, functionName: 'multicall', args: [[data, bytes]] }),
      encodeFunctionData({ abi, functionName: 'execute', args: [who, amount, data] }),
      encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [who, true] }),
      encodeFunctionData({ abi, functionName: 'transferOwnership', args: [who] }),
      encodeFunctionData({
        abi,
        functionName: 'transferWithAuthorization',
        args: [payer, who, amount, 0n, amount, bytes, bytes],
      }),
    ),
  )

const signatureOf = ([r, s]: [Hex, Hex]) => ({ r, s, yParity: 0 }) as const

const otherType = ({ transaction }: Scenario): fc.Arbitrary<Hex> =>
  fc.tuple(address, word, word).chain(([who, r, s]) => {
    const { maxFeePerGas: gasPrice, maxPriorityFeePerGas: _, type: __, ...plain } = transaction
    const fees = { maxFeePerGas: gasPrice }
    const signature = signatureOf([r, s])
    const authorization = { address: who, chainId: 84532, nonce: 0, ...signature }
    const accessList = [{ address: who, storageKeys: [r] }]
    return fc.constantFrom<Hex>(
      // One that is valid on every chain, and one that already has a signature.
      serializeTransaction({ ...plain, chainId: undefined, type: 'legacy', gasPrice }),
      serializeTransaction({ ...plain, type: 'legacy', gasPrice }, { ...signature, v: 169_103n }),
      serializeTransaction({ ...plain, type: 'eip2930', gasPrice }),
      serializeTransaction({ ...plain, type: 'eip2930', gasPrice, accessList }),
      serializeTransaction({ ...plain, ...fees, type: 'eip7702', authorizationList: [authorization] }),
      serializeTransaction({ ...plain, ...fees, type: 'eip7702', authorizationList: [] }),
      serializeTransaction({
        ...plain,
        ...fees,
        type: 'eip4844',
        maxFeePerBlobGas: 1n,
        blobVersionedHashes: [`0x01${r.slice(4)}`],
      }),
      serializeTransaction(transaction, signature),
      serializeTransaction({ ...transaction, accessList }),
      serializeTransaction({ ...transaction, to: null }),
    )
  })

const bytesChanged = (scenario: Scenario): fc.Arbitrary<Hex> => {
  const bytes = hexToBytes(serializeTransaction(scenario.transaction))
  const at = fc.nat(bytes.length - 1)
  const flipped = fc.array(fc.tuple(at, fc.nat(7)), { minLength: 1, maxLength: 4 }).map((flips) => {
    const changed = bytes.slice()
    for (const [index, bit] of flips) changed[index] = (changed[index] ?? 0) ^ (1 << bit)
    return changed
  })
  const cut = fc.tuple(at, fc.integer({ min: 1, max: 40 })).map(([from, size]) => {
    return Uint8Array.from([...bytes.slice(0, from), ...bytes.slice(from + size)])
  })
  const grown = fc
    .tuple(fc.nat(bytes.length), fc.uint8Array({ minLength: 1, maxLength: 40 }))
    .map(([from, more]) => Uint8Array.from([...bytes.slice(0, from), ...more, ...bytes.slice(from)]))
  const swapped = fc.tuple(at, at, fc.integer({ min: 1, max: 32 })).map(([one, other, size]) => {
    const changed = bytes.slice()
    changed.set(bytes.slice(one, Math.min(one + size, bytes.length - other + one)), other)
    return changed
  })
  return fc
    .oneof(flipped, flipped, cut, grown, swapped)
    .filter((changed) => Buffer.compare(changed, bytes) !== 0)
    .map((changed): Hex => `0x${Buffer.from(changed).toString('hex')}`)
}

/** Changes of the transaction that is to be signed, by kind. */
export const transactionMutations = (scenario: Scenario): Record<string, fc.Arbitrary<Mutation>> => {
  const { isToken, rules, make, transaction } = scenario
  const { to, data, value } = transaction
  const units = isToken ? 36_000_000n : value
  const otherUnits = fc
    .oneof(
      uint,
      fc.bigInt({ min: -5n, max: 5n }).map((delta) => units + delta),
      fc.constant(units * 1_000n),
    )
    .filter((amount) => amount !== units)
  const otherData = (change: fc.Arbitrary<Hex>) =>
    change.filter((changed) => changed !== data).map((changed) => always(make({ data: changed })))
  const tail = hex(1, 100)
  return {
    amount: otherUnits.map((amount) =>
      always(make(isToken ? { data: transfer(deposit, amount) } : { value: amount })),
    ),
    chain: fc
      .oneof(fc.constantFrom(1, 10, 56, 137, 8453, 42161), fc.integer({ min: 1, max: 2 ** 40 }))
      .filter((chainId) => chainId !== 84532)
      .map((chainId) => always(make({ chainId }))),
    'appended bytes': otherData(tail.map((more) => concatHex([data, more]))),
    'appended call': otherData(otherCall(data).map((call) => concatHex([data, call]))),
    'call before': otherData(otherCall(data).map((call) => concatHex([call, data]))),
    'other call': otherData(otherCall(data)),
    'cut call': otherData(
      fc.integer({ min: 4, max: data.length - 1 }).map((end) => data.slice(0, end - (end % 2)) as Hex),
    ),
    selector: otherData(hex(4).map((name) => concatHex([name, `0x${data.slice(10)}`]))),
    type: otherType(scenario).map((serialized) => always(make(serialized))),
    'recipient that is not allowed': fc
      .constantFrom(...(isToken ? [zeroAddress, payer, usdc] : [zeroAddress, payer]))
      .map((who) => always(make(isToken ? { data: transfer(who) } : { to: who }))),
    ...(isToken && {
      token: address.map((other) => always(make({ to: other }))),
      'value with a token': fc
        .bigInt({ min: 1n, max: 2n ** 200n })
        .map((amount) => always(make({ value: amount }))),
      'dirty padding': otherData(
        hex(12).map((dirt) => concatHex([`0x${data.slice(2, 10)}`, dirt, `0x${data.slice(34)}`])),
      ),
      'the router’s call': otherData(word.map((reference) => routerPay(reference))),
    }),
    ...(!isToken && {
      'another order’s reference': otherData(
        fc.oneof(word, fc.uuid().map(toOrderReference)).map((ref) => routerPay(ref)),
      ),
      deadline: otherData(
        fc
          .oneof(
            uint,
            fc.bigInt({ min: -60n, max: 60n }).map((delta) => deadline + delta),
          )
          .map((until) => routerPay(undefined, until)),
      ),
    }),
    ...(rules.contracts && {
      // Also harmless ones: a nonce or a fee may be any, since the wallet decides those.
      bytes: bytesChanged(scenario).map((serialized) => ({
        ...always(make(serialized)),
        isHarmless: true,
      })),
      recipient: fc
        .oneof(
          address,
          fc.uuid().map((id) => getDepositAddress(contracts.depositFactory, id)),
        )
        .filter(differs(isToken ? deposit : to))
        .map((who) => always(make(isToken ? { data: transfer(who) } : { to: who }))),
    }),
  }
}
