import { type AbiFunction, type AbiParameter, encodeFunctionData, type Hex, toFunctionSignature } from 'viem'
import type { ContractCall } from '../../../schema/transactionInput.js'
import { badInput, HttpError } from '../httpError.js'
import { clip } from './clip.js'
import { isIdentifier, readParameters } from './readAbi.js'
import { toArgument } from './toArgument.js'

type Fitted = { definition: AbiFunction; args: unknown[] }
type Fit = Fitted | { error: HttpError }

const invalid = (field: string, fault: string): HttpError => badInput(`${field}: ${fault}`)

/** The functions of an interface by a name, or by a whole signature where several share the name. */
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
  // An interface that was put together from several may have one function twice.
  const bySignature = new Map(found.map((each) => [toFunctionSignature(each), each]))
  const matching = [...bySignature].filter(([signature]) => !asked.includes('(') || signature === asked)
  if (matching.length) return matching.map(([, each]) => each)
  const names = abi.flatMap(({ type, name: known }) =>
    type === 'function' && isIdentifier(known) ? [known] : [],
  )
  const known = names.length ? `it has ${clip([...new Set(names)].join(', '))}` : 'it has none'
  throw invalid(`${field}.functionName`, `the abi has no function ${clip(functionName)}; ${known}`)
}

/** Of what could be meant by a string of hex digits, a number is the last. */
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
    if (error instanceof HttpError) return { error }
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
    throw invalid(`${field}.functionName`, `${clip(signatures)} both fit: write the whole signature`)
  }
  if (chosen) return chosen
  const faults = fits.flatMap((each) => ('error' in each ? [each.error] : []))
  const [only] = faults
  if (only && faults.length === 1) throw only
  // Of functions that share a name, the fault is in the one that takes as many arguments, if there is one.
  const counted = faults.filter(({ message }) => !message.startsWith(`${field}.args: `))
  const [first] = counted
  if (first && counted.length === 1) throw first
  throw invalid(`${field}.args`, `none of the functions ${clip(call.functionName)} takes these arguments`)
}

/**
 * Encodes the call of a contract's function by the contract's interface.
 *
 * @throws {@link HttpError} naming what the interface does not have or take.
 */
export const encodeContractCall = (call: ContractCall, field: string): Hex => {
  const { definition, args } = choose(call, field)
  if (BigInt(call.value ?? 0) > 0n && definition.stateMutability !== 'payable') {
    throw invalid(`${field}.value`, `${definition.name} is not payable: it takes no coins`)
  }
  return encodeFunctionData({ abi: [definition], functionName: definition.name, args })
}
