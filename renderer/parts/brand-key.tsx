export const BrandKey = () => (
  <svg class="brand-key" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <g fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round">
      <circle cx="7.75" cy="16.25" r="4.75" />
      <path d="M11.2 12.8 20.5 3.5M16.9 7.1l3 3M13.6 10.4l2.1 2.1" />
    </g>
  </svg>
)
