/** A controller among cards and stars, drawn in the kit's art colours so that it follows the theme. */
export function YouxiArt() {
  return (
    <svg className="content-youxi__art" viewBox="0 0 360 300" width="360" height="300" aria-hidden="true">
      <circle className="a1" cx="180" cy="150" r="140" />
      <g transform="rotate(-14 110 110)">
        <rect className="a4 edge" x="52" y="52" width="112" height="150" rx="16" />
        <path className="a2" d="M68 72h48v10H68zM68 92h80v60H68z" />
      </g>
      <g transform="rotate(12 262 108)">
        <rect className="a4 edge" x="206" y="44" width="112" height="150" rx="16" />
        <path className="a2" d="M222 64h60v10h-60z" />
        <path className="a3" d="m262 92 9 19 21 3-15 15 4 21-19-10-19 10 4-21-15-15 21-3z" />
      </g>
      <path
        className="a3"
        d="M118 144h124c34 0 54 22 61 56l9 44c5 27-29 40-45 18l-24-34H117l-24 34c-16 22-50 9-45-18l9-44c7-34 27-56 61-56z"
      />
      <path className="a4" d="M112 170h16v18h18v16h-18v18h-16v-18H94v-16h18z" />
      <circle className="a4" cx="226" cy="196" r="11" />
      <circle className="a4" cx="262" cy="196" r="11" />
      <circle className="a4" cx="244" cy="178" r="11" />
      <circle className="a4" cx="244" cy="214" r="11" />
      <path className="a3" d="m42 40 5 13 13 5-13 5-5 13-5-13-13-5 13-5zM330 226l4 10 10 4-10 4-4 10-4-10-10-4 10-4z" />
    </svg>
  );
}
