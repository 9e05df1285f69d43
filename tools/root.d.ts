/** The folder of the checkout, found from the sources as well as from the build. */
export declare const root: string;
