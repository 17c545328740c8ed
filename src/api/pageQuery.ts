/** The page of a list. */
export type PageParameters = {
  /** Starts at 1, the default. */
  page?: number | undefined
  /** 10 by default, at most 100. */
  perPage?: number | undefined
}

/** Builds the query for a page; empty when the service's defaults apply. */
export const pageQuery = ({ page, perPage }: PageParameters): string => {
  const query = Object.entries({ page, perPage }).filter(([, value]) => value !== undefined)
  return query.length ? `?${query.map(([name, value]) => `${name}=${value}`).join('&')}` : ''
}
