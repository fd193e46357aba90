// The icons, inlined so that no request is needed. They are decorative: a word or an accessible label says the same.
const PATHS = {
  check: 'M3.5 8.5l3 3 6-7',
  warning: 'M8 2.5l6 11H2zM8 6.5v3.2M8 11.6v.1',
  flag: 'M5 2h6l3 3v6l-3 3H5l-3-3V5zM8 5v3.6M8 10.9v.1',
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 12A5 5 0 107 2a5 5 0 000 10zM10.8 10.8L14 14',
  sun: 'M8 11a3 3 0 100-6 3 3 0 000 6zM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  moon: 'M13.5 9.5A6 6 0 016.5 2.5a6 6 0 107 7z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3l8 5-8 5z',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  external: 'M9.5 2.5h4v4M13.5 2.5L7.5 8.5M11.5 9.5v4h-9v-9h4',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  left: 'M10 4L6 8l4 4',
  refresh: 'M13.5 8A5.5 5.5 0 112.9 5.9M2.5 2.5v3.6h3.6',
  dot: 'M8 10.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5z',
  person: 'M8 8a3 3 0 100-6 3 3 0 000 6zM2.5 14a5.5 5.5 0 0111 0',
  download: 'M8 2.5v7.5M4.5 7L8 10.5 11.5 7M2.5 13.5h11',
  shield: 'M8 1.8l5.5 2v4c0 3.4-2.3 5.6-5.5 6.6-3.2-1-5.5-3.2-5.5-6.6v-4zM5.6 8l1.8 1.8 3-3.4',
  clock: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 4.8V8l2.2 1.6',
  key: 'M10.5 9A3.5 3.5 0 107 5.5L2 10.5V14h3.5v-2h2v-2z',
  leave: 'M9.5 2.5h-6v11h6M6.5 8h7.5M11 5l3 3-3 3',
  send: 'M2.5 8h10M8.5 4l4 4-4 4',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 16, className = '' }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`inline-block shrink-0 ${className}`}
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
