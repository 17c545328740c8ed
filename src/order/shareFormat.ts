const defaultLocale = 'en-US'

const findLocale = (locale: string): string => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0] ?? defaultLocale
  } catch {
    // A locale this version of the language does not even call a locale.
    return defaultLocale
  }
}

/**
 * Makes a format once for each locale and hands out the same one from then on: a new one at every rendering
 * would cost more than the rest of it.
 *
 * @param make - Makes the format; it gets a locale that this engine knows.
 * @returns Gives the format of a locale; that of `en-US` when the locale is absent or unknown.
 */
export const shareFormat = <Format>(make: (locale: string) => Format) => {
  const formats = new Map<string, Format>()
  return (locale = defaultLocale): Format => {
    const format = formats.get(locale) ?? make(findLocale(locale))
    formats.set(locale, format)
    return format
  }
}
