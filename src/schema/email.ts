import * as z from 'zod/mini'
import { emailPattern, isEmail, maxEmailLength, toAsciiEmail } from './limits.js'

/** An e-mail address. An internationalised domain is read in Unicode or Punycode, and becomes Punycode. */
export const Email = z
  .email({ pattern: emailPattern, error: 'expected an e-mail address', abort: true })
  .check(
    z.overwrite(toAsciiEmail),
    z.maxLength(maxEmailLength, { error: `expected ${maxEmailLength} characters or fewer`, abort: true }),
    z.refine(isEmail, 'expected an e-mail address'),
  )
