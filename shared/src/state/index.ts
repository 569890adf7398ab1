/** The part of mobx and mobx-react-lite that pages may use. A single copy, so that every page observes the same session. */
export { autorun, makeAutoObservable, observable, reaction, runInAction } from 'mobx';
export { observer } from 'mobx-react-lite';
