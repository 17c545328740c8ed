/** Which part of a list is asked for. */
export type PageParameters = {
  /** From 1 on, which is the default. */
  page?: number | undefined
  /** 10 by default, at most 100. */
  perPage?: number | undefined
}

/** Writes the query that asks for a page; empty when the service's own defaults will do. */
export const pageQuery = ({ page, perPage }: PageParameters): string => {
  const query = Object.entries({ page, perPage }).filter(([, value]) => value !== undefined)
  return query.length ? `?${query.map(([name, value]) => `${name}=${value}`).join('&')}` : ''
}
