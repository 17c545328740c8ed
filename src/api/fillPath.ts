import { inputError } from '../errors/inputError.js'

// Empty ids and dots would name another resource, and a lone surrogate cannot be encoded.
const unfit = /^\.{0,2}$|\p{Cs}/u

/**
 * Fills the path of a call.
 *
 * @param template - As interface.md has it, such as `/2022-06-09/collections/{collectionId}`.
 * @throws {@link KassaError} `input.id-invalid`
 */
export const fillPath = (template: string, ids: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name] ?? ''
    if (unfit.test(id)) throw inputError('input.id-invalid', { name })
    return encodeURIComponent(id)
  })
