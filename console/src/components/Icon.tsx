const paths = {
  home: 'M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z',
  orders: 'M3 2.5h10v11l-2-1.2-2 1.2-1-.6-1 .6-2-1.2-2 1.2zM5.5 6h5M5.5 9h5',
  collections: 'M2.5 2.5h4.500v4.500h-4.500zM9 2.500h4.500V7H9zM2.500 9H7v4.500H2.500zM9 9h4.500v4.500H9z',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5M9 3 7 13',
  link: 'M6.800 9.200a2.300 2.300 0 0 0 3.300 0l2.300-2.300a2.300 2.300 0 0 0-3.300-3.300l-.9.900M9.200 6.800a2.300 2.300 0 0 0-3.300 0L3.600 9.100a2.300 2.300 0 0 0 3.300 3.300l.9-.9',
  audit: 'M4 2.5h8v11H4zM6.5 5.5h3M6.5 8h3M6.5 10.5h2',
  team: 'M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5ZM1.5 13c.3-2.3 2-3.5 4.5-3.5s4.200 1.200 4.500 3.500M10.500 7.300a2 2 0 1 0-.6-3.900M12 9.800c1.400.5 2.300 1.600 2.500 3.200',
  person:
    'M8 7.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM3 13.500c.3-2.500 2.200-4 5-4s4.700 1.500 5 4',
  exit: 'M9.500 3H3.500v10h6M7 8h6.500M11 5.500 13.500 8 11 10.500',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9ZM10.300 10.300l3.200 3.200',
  copy: 'M5.500 5.500h7v8h-7zM10.500 5.500v-3h-7v8h2',
  check: 'M3 8.500 6.500 12 13 4.500',
  left: 'M10 3.500 5.500 8l4.500 4.500',
  outside: 'M6.500 3.500h-3v9h9v-3M9 2.500h4.500V7M13.500 2.500 7.500 8.500',
  key: 'M5.500 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM7.700 8 13 2.700M11 4.700l2 2',
} as const

export type IconName = keyof typeof paths

/** Renders an `<svg>` that is silent for screen readers. The words are beside it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg
    className="icon"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
)
