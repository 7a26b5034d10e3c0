export const BrandKey = () => (
  <svg class="brand-key" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <g fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round">
      <circle cx="7.75" cy="16.25" r="4.75" />
      <path d="M11.2 12.8 20.5 3.5M16.9 7.1l3 3M13.6 10.4l2.1 2.1" />
    </g>
  </svg>
)

export const Gear = () => (
  <svg class="gear" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <g fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round">
      <circle cx="12" cy="12" r="3.25" />
      <path d="M10.3 4.6 10.6 1.9 13.4 1.9 13.7 4.6 16 5.5 18.2 3.9 20.1 5.8 18.5 8 19.4 10.3 22.1 10.6 22.1 13.4 19.4 13.7 18.5 16 20.1 18.2 18.2 20.1 16 18.5 13.7 19.4 13.4 22.1 10.6 22.1 10.3 19.4 8 18.5 5.8 20.1 3.9 18.2 5.5 16 4.6 13.7 1.9 13.4 1.9 10.6 4.6 10.3 5.5 8 3.9 5.8 5.8 3.9 8 5.5z" />
    </g>
  </svg>
)

export const Chevron = () => (
  <svg class="chevron" viewBox="0 0 12 12" aria-hidden="true" focusable="false">
    <path d="m3 4.5 3 3 3-3" />
  </svg>
)
