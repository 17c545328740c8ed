import * as z from 'zod/mini'
import { emailPattern, maxEmailLength } from './limits.js'

/** An e-mail address. */
export const Email = z
  .email({ pattern: emailPattern, error: 'expected an e-mail address' })
  .check(z.maxLength(maxEmailLength, `expected ${maxEmailLength} characters or fewer`))
