import { Link } from 'react-router';
import { texts } from '../texts/texts.js';

const words = texts.home.next;

/** Where a developer goes on. */
export const Next = () => (
  <section className="next" aria-labelledby="next">
    <div>
      <h2 id="next">{words.title}</h2>
      <p className="muted">{words.lead}</p>
    </div>
    <p className="ways">
      <Link to="/docs/getting-started/create" className="button">
        {words.create}
      </Link>
      <Link to="/multitx">{words.demos}</Link>
      <Link to="/docs">{words.docs}</Link>
    </p>
  </section>
);
