const defaultLocale = 'en-US'

const findLocale = (locale: string): string => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0] ?? defaultLocale
  } catch {
    // This engine does not accept the locale as one.
    return defaultLocale
  }
}

/**
 * Caches a format per locale, because creating one at every render would cost more than the rest of the
 * render.
 *
 * @param make - Creates the format for a locale that this engine knows.
 * @returns A function that returns the format of a locale; that of `en-US` when the locale is absent or
 * unknown.
 */
export const shareFormat = <Format>(make: (locale: string) => Format) => {
  const formats = new Map<string, Format>()
  return (locale = defaultLocale): Format => {
    const format = formats.get(locale) ?? make(findLocale(locale))
    formats.set(locale, format)
    return format
  }
}
