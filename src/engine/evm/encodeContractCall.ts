import { type AbiFunction, type AbiParameter, encodeFunctionData, type Hex, toFunctionSignature } from 'viem'
import type { ContractCall } from '../../schema/transactionInput.js'
import { clip } from '../clip.js'
import { InvalidInput, invalid } from '../invalidInput.js'
import { isIdentifier, readParameters } from './readAbi.js'
import { toArgument } from './toArgument.js'

type Fitted = { definition: AbiFunction; args: unknown[] }
type Fit = Fitted | { error: InvalidInput }

/** Finds the functions of an interface by name, or by a whole signature where several share the name. */
const findFunctions = ({ abi, functionName }: ContractCall, field: string): AbiFunction[] => {
  const [name = ''] = functionName.split('(')
  const found = abi.flatMap((entry, at): AbiFunction[] => {
    if (entry.type !== 'function' || entry.name !== name || !isIdentifier(name)) return []
    const inputs = readParameters(entry.inputs ?? [], `${field}.abi[${at}].inputs`)
    const stated = entry.stateMutability
    const isPayable = stated === undefined ? entry.payable !== false : stated === 'payable'
    return [
      { type: 'function', name, inputs, outputs: [], stateMutability: isPayable ? 'payable' : 'nonpayable' },
    ]
  })
  const asked = functionName.replace(/\s/g, '')
  // An interface merged from several may list one function twice.
  const bySignature = new Map(found.map((each) => [toFunctionSignature(each), each]))
  const matching = [...bySignature].filter(([signature]) => !asked.includes('(') || signature === asked)
  if (matching.length) return matching.map(([, each]) => each)
  const names = abi.flatMap(({ type, name: known }) =>
    type === 'function' && isIdentifier(known) ? [known] : [],
  )
  const known = names.length ? `it has ${clip([...new Set(names)].join(', '))}` : 'it has none'
  throw invalid(`${field}.functionName`, `the abi has no function ${clip(functionName)}; ${known}`)
}

/** Whether a hex string is passed for a number. A number is the least likely meaning of a hex string. */
const isHexForNumber = ({ type }: AbiParameter, value: unknown): boolean =>
  /^u?int\d+$/.test(type) && typeof value === 'string' && value.startsWith('0x')

const fit = (definition: AbiFunction, { args }: ContractCall, field: string): Fit => {
  const { inputs, name } = definition
  if (inputs.length !== args.length) {
    const fault = `${name} takes ${inputs.length} arguments, and these are ${args.length}`
    return { error: invalid(`${field}.args`, fault) }
  }
  try {
    return {
      definition,
      args: inputs.map((input, at) => toArgument(input, args[at], `${field}.args[${at}]`)),
    }
  } catch (error) {
    if (error instanceof InvalidInput) return { error }
    throw error
  }
}

const choose = (call: ContractCall, field: string): Fitted => {
  const fits = findFunctions(call, field).map((definition) => fit(definition, call, field))
  const fitting = fits.filter((each) => 'args' in each)
  const plain = fitting.filter(
    ({ definition }) => !definition.inputs.some((input, at) => isHexForNumber(input, call.args[at])),
  )
  const [chosen, other] = plain.length ? plain : fitting
  if (chosen && other) {
    const signatures = [chosen, other].map(({ definition }) => toFunctionSignature(definition)).join(' and ')
    throw invalid(`${field}.functionName`, `${clip(signatures)} both match: use the full signature`)
  }
  if (chosen) return chosen
  const faults = fits.flatMap((each) => ('error' in each ? [each.error] : []))
  const [only] = faults
  if (only && faults.length === 1) throw only
  // If several functions share a name, the error is that of the one with the right number of arguments, if
  // there is one.
  const counted = faults.filter(({ message }) => !message.startsWith(`${field}.args: `))
  const [first] = counted
  if (first && counted.length === 1) throw first
  throw invalid(`${field}.args`, `none of the functions ${clip(call.functionName)} takes these arguments`)
}

/**
 * Encodes a call of a contract's function according to the contract's interface.
 *
 * @throws {@link InvalidInput} naming what the interface lacks or does not accept.
 */
export const encodeContractCall = (call: ContractCall, field: string): Hex => {
  const { definition, args } = choose(call, field)
  if (BigInt(call.value ?? 0) > 0n && definition.stateMutability !== 'payable') {
    throw invalid(`${field}.value`, `${definition.name} is not payable: it takes no coins`)
  }
  return encodeFunctionData({ abi: [definition], functionName: definition.name, args })
}
