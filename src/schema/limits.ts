/**
 * The limits of a buyer's input, separate from the schemas, so that a form checks the same rules without
 * loading a schema library.
 */

/** The pattern of an e-mail address. Its domain may be internationalised, in Unicode or in Punycode. */
export const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9\u0080-\uffff][A-Za-z0-9\u0080-\uffff-]*\.)+(?:[Xx][Nn]--[A-Za-z0-9-]+|[A-Za-z\u0080-\uffff]{2,})$/

/** The longest e-mail address, with its domain in Punycode (RFC 5321). @units characters */
export const maxEmailLength = 254

// A URL reads more than domains, such as a port, so only the characters of a domain are given to it.
const internationalDomain = /(?<=@)[A-Za-z0-9.\u0080-\uffff-]*[\u0080-\uffff][A-Za-z0-9.\u0080-\uffff-]*/

/**
 * Converts the internationalised domain of an e-mail address to Punycode, the form in which it is sent, stored and
 * compared: `ada@müller.example` becomes `ada@xn--mller-kva.example`. Also reads a locator such as
 * `email:<email>:<chain>`. Any other text, and a domain that does not exist in Punycode, stays as it is.
 */
export const toAsciiEmail = (text: string): string =>
  text.length > 2 * maxEmailLength
    ? text
    : text.replace(internationalDomain, (domain) => {
        try {
          return new URL(`http://${domain}`).hostname
        } catch {
          return domain
        }
      })

/** Whether a text is an e-mail address that mail servers take. */
export const isEmail = (text: string): boolean => {
  const ascii = toAsciiEmail(text)
  // Before and after, because each form has its own mistakes.
  const isForm = emailPattern.test(text) && emailPattern.test(ascii)
  return isForm && ascii.length <= maxEmailLength && !/[\u0080-\uffff]/.test(ascii)
}

/** The pattern of an account: `0x` and 40 hex digits on an EVM chain, base58 on Solana. */
export const walletAddressPattern = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/

// Leading zeros may be left out. With few digits it is a mistyped address of an EVM chain.
const aptosAddress = /^0x[0-9a-fA-F]{62,64}$/

/** Whether a text is the address of an account on Aptos alone, or the beginning of a locator there. */
export const isOnAptos = (text: string): boolean => aptosAddress.test(text) || text.startsWith('aptos:')

/** Says that Aptos is not supported. */
export const aptosFault = 'Aptos is not supported: expected an address on an EVM chain or Solana'

/** The longest line of an address. @units characters */
export const maxLineLength = 200

// Countries and territories in which mail is delivered without a postal code.
const withoutPostalCodes =
  'AE AG AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY HK JM KI KM KN KP ML MO MR MW NR NU QA RW SB SC SL SR SS ST SX SY TD TG TK TL TO TT TV UG VU YE ZW'.split(
    ' ',
  )

/**
 * Whether addresses in a country have a postal code.
 *
 * @param country - Its ISO 3166-1 alpha-2 code.
 */
export const hasPostalCodes = (country: string): boolean => !withoutPostalCodes.includes(country)

/** Removes what a copied promotion code carries unseen: blanks around it, and characters without a width. */
export const trimCode = (code: string): string => code.replace(/\p{Cf}/gu, '').trim()
