/// <reference path="../css.d.ts" />
import './tokens.css';
import './base.css';

export { Button, type ButtonProps, IconButton, type IconButtonProps } from './button';
export { Carousel, type CarouselProps } from './carousel';
export {
  Checkbox,
  type CheckboxProps,
  Chip,
  type ChipProps,
  Segmented,
  type SegmentedProps,
  Switch,
  type SwitchProps,
  Tabs,
  type TabsProps,
} from './choices';
export { classNames } from './class-names';
export { type ConfirmOptions, confirm } from './confirm';
export { CopyButton, type CopyButtonProps, copyText } from './copy-button';
export { Countdown, type CountdownProps } from './countdown';
export { Dialog, type DialogProps } from './dialog';
export { Empty, type EmptyProps, ErrorState, type ErrorStateProps } from './empty';
export type { Art } from './empty-art';
export { Icon, type IconProps } from './icon';
export type { IconName } from './icon-paths';
export {
  Card,
  type CardProps,
  Cell,
  CellGroup,
  type CellProps,
  PageBody,
  type PageBodyProps,
  Section,
  type SectionProps,
  StickyBar,
  VisuallyHidden,
} from './layout';
export { LoadMore, type LoadMoreProps, Refreshable, type RefreshableProps } from './lists';
export { RemoteName } from './overlay';
export { navigateFromOverlays } from './overlay-history';
export { closeOverlays } from './overlay-stack';
export { Picture, type PictureProps } from './picture';
export { Price, type PriceProps } from './price';
export { preloadSafeHtml, SafeHtml, type SafeHtmlProps } from './safe-html';
export { Sheet, type SheetProps } from './sheet';
export { Skeleton, type SkeletonProps } from './skeleton';
export { Spinner, type SpinnerProps } from './spinner';
export { Stepper, type StepperProps } from './stepper';
export { Badge, type BadgeProps, Notice, type NoticeProps, Tag, type Tone } from './tag';
export { notify, toast } from './toast';
