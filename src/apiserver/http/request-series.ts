import type { RequestLabels } from "./metrics.ts";

const buckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

interface Series {
  readonly labels: string;
  readonly codes: Map<number, number>;
  /** How many requests took at most as long as the bucket says, and longer than the one before says. */
  readonly counts: number[];
  readonly isWatch: boolean;
  seconds: number;
}

/**
 * Counts requests and how long they took. Every request passes here, so that no more is done than to add: the library
 * that does the rest of the metrics would sort and join the labels of each request anew.
 */
export class RequestSeries {
  readonly #series = new Map<string, Series>();

  add(labels: RequestLabels, code: number, seconds: number): void {
    const series = this.#of(labels);
    series.codes.set(code, (series.codes.get(code) ?? 0) + 1);
    let index = 0;
    while (index < buckets.length && seconds > (buckets[index] ?? 0)) index += 1;
    series.counts[index] = (series.counts[index] ?? 0) + 1;
    series.seconds += seconds;
  }

  /** All that was counted, in the text of Prometheus. */
  render(): string {
    const [total, duration] = ["apiserver_request_total", "apiserver_request_duration_seconds"];
    const all = [...this.#series.values()];
    return [
      `# HELP ${total} Answered requests by verb, group, version, resource, subresource, scope and HTTP code.`,
      `# TYPE ${total} counter`,
      ...all.flatMap(({ labels, codes }) => {
        return [...codes].map(([code, count]) => `${total}{${labels},code="${code}"} ${count}`);
      }),
      `# HELP ${duration} How long requests took, by verb, group, version, resource, subresource and scope.`,
      `# TYPE ${duration} histogram`,
      // A watch takes as long as somebody watches.
      ...all.filter(({ isWatch }) => !isWatch).flatMap((series) => histogramLines(duration, series)),
      "",
    ].join("\n");
  }

  #of(labels: RequestLabels): Series {
    const { verb, group, version, resource, subresource, scope } = labels;
    const key = `${verb} ${group} ${version} ${resource} ${subresource} ${scope}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const series = {
      labels: printed({ ...labels, component: "apiserver" }),
      codes: new Map<number, number>(),
      counts: Array.from({ length: buckets.length + 1 }, () => 0),
      isWatch: verb === "WATCH",
      seconds: 0,
    };
    this.#series.set(key, series);
    return series;
  }
}

function histogramLines(name: string, { labels, counts, seconds }: Series): readonly string[] {
  let sum = 0;
  const lines = counts.map((count, index) => {
    sum += count;
    return `${name}_bucket{${labels},le="${buckets[index] ?? "+Inf"}"} ${sum}`;
  });
  return [...lines, `${name}_sum{${labels}} ${seconds}`, `${name}_count{${labels}} ${sum}`];
}

function printed(labels: Readonly<Record<string, string>>): string {
  const escaped = (text: string) => text.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`);
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
}
