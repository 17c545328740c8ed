import { shareFormat } from '../../../order/shareFormat.js'

// Codes that Intl names but ISO assigns to no country: reserved codes, unions, regions without a state,
// pseudo locales.
const unassigned = /^(AC|C[PQ]|DG|E[AUZ]|IC|QO|TA|UN|X|ZZ)/

/** Lists every country as `[code, name]`: its ISO 3166-1 alpha-2 code, sorted by its name in a language. */
export const listCountries = shareFormat((locale): readonly (readonly [code: string, name: string])[] => {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((code) => {
      const name = names.of(code)
      // The code of a former country resolves to its successor.
      const isCurrent = new Intl.Locale(`und-${code}`).region === code
      return name && isCurrent && !unassigned.test(code) ? [[code, name] as const] : []
    })
    .sort(([, a], [, b]) => a.localeCompare(b, locale))
})
