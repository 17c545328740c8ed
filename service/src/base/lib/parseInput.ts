import { parseInput as parse } from 'kassa/engine'
import * as z from 'zod/mini'
import { checkInput } from '../errors.js'

// `zod/mini` has no messages of its own.
z.config(z.locales.en())

/**
 * Parses a caller's input. `null` for an optional field means that the field is absent.
 *
 * @param root - The name of the whole input, for errors that concern no single field.
 * @throws {@link ServiceError} `input-invalid` naming the path of every invalid field.
 */
export const parseInput = <Output>(schema: z.ZodMiniType<Output>, value: unknown, root: string): Output =>
  checkInput(() => parse(schema, value, root))
