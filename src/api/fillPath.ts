import { inputError } from '../errors/inputError.js'

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never

/** The ids in an operation's path, by their names. */
export type PathParameters<Path extends string> = Readonly<Record<ParameterOf<Path>, string>>

// Empty ids and dots would name another resource, and a lone surrogate cannot be encoded.
const unfit = /^\.{0,2}$|\p{Cs}/u

/**
 * Fills an operation's path with ids.
 *
 * @throws {@link KassaError} `input.id-invalid`
 */
export const fillPath = <Path extends string>(path: Path, params: PathParameters<Path>): string => {
  const ids: Readonly<Record<string, string>> = params
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name] ?? ''
    if (unfit.test(id)) throw inputError('input.id-invalid', { name })
    return encodeURIComponent(id)
  })
}

/** Returns the method and the filled path of an operation. */
export const callOf = <Method extends string, Path extends string>(
  { method, path }: { method: Method; path: Path },
  params: PathParameters<Path>,
): { method: Method; path: string } => ({ method, path: fillPath(path, params) })
