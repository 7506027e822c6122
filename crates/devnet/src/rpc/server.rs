//! The HTTP server: JSON-RPC at `POST /` and the explorer's pages, open to every origin, and `/admin`
//! for programs on this machine.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRef, State};
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use near_jsonrpc_primitives::errors::RpcError;
use near_jsonrpc_primitives::message::{self, Broken, Message, Request};
use near_primitives::errors::InvalidTxError;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tower_http::cors::CorsLayer;

use super::answer::{internal, response};
use super::connections::{Connections, Peer};
use super::faults::{Fault, FaultBody, Faults, Manner, Meeting};
use super::node::Node;
use super::{admin, methods, transactions};
use crate::chain::Chain;
use crate::explorer;

/// The most bytes of a request's body: more than the largest contract in base64.
const MAX_BODY: usize = 10 * 1024 * 1024;
/// How long pending requests may still take after a stop signal.
const GRACE: Duration = Duration::from_secs(2);
/// The most requests in one batch.
const MAX_BATCH: usize = 100;
/// A node's error text for JSON that is not a request.
const NO_REQUEST: &str = "JSON RPC Request format was expected";

/// Why the server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another program uses the port.
    #[error("port {0} on 127.0.0.1 is taken by another program; choose another with --port")]
    PortTaken(u16),
    /// The network failed.
    #[error("the server failed: {0}")]
    Io(#[from] std::io::Error),
}

/// Binds a port of 127.0.0.1; 0 picks a free one.
pub async fn bind(port: u16) -> Result<TcpListener, ServeError> {
    TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port)))
        .await
        .map_err(|error| match error.kind() {
            std::io::ErrorKind::AddrInUse => ServeError::PortTaken(port),
            _ => ServeError::Io(error),
        })
}

/// What the handlers share.
#[derive(Clone)]
struct Shared {
    chain: Chain,
    faults: Faults,
}

impl FromRef<Shared> for Chain {
    fn from_ref(shared: &Shared) -> Self {
        shared.chain.clone()
    }
}

impl FromRef<Shared> for Faults {
    fn from_ref(shared: &Shared) -> Self {
        shared.faults.clone()
    }
}

/// Serves `chain` with these faults until `stop` resolves, then gives pending requests two seconds.
pub async fn serve(
    listener: TcpListener,
    chain: Chain,
    faults: Faults,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let open = Router::new()
        .route("/", post(rpc))
        .route("/", get(explorer::home))
        .route("/transactions/{id}", get(explorer::transaction))
        .route("/address/{account}", get(explorer::address))
        .route("/health", get(health))
        .route("/status", get(status))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(CorsLayer::very_permissive())
        .layer(middleware::map_response(remove_cors_headers));
    let faults_route = get(admin::show_faults)
        .put(admin::replace_faults)
        .delete(admin::clear_faults);
    let network_route = get(admin::show_network).put(admin::replace_network);
    let local = Router::new()
        .route("/admin/faults", faults_route)
        .route("/admin/network", network_route)
        .layer(DefaultBodyLimit::max(admin::MAX_BODY))
        .route(
            "/admin/rpc",
            post(rpc_at_head).layer(DefaultBodyLimit::max(MAX_BODY)),
        )
        // On this route alone, so that unknown paths stay a plain 404.
        .route_layer(middleware::from_fn(admin::guard));
    let app = open.merge(local).with_state(Shared { chain, faults });
    let app = app.into_make_service_with_connect_info::<Peer>();
    let (stopping, stopped) = tokio::sync::oneshot::channel();
    let stop = async {
        stop.await;
        // The receiver is gone only after serving has failed, and then no one waits for this.
        let _ = stopping.send(());
    };
    let patience = async {
        if stopped.await.is_ok() {
            tokio::time::sleep(GRACE).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        served = axum::serve(Connections(listener), app).with_graceful_shutdown(stop) => served?,
        () = patience => {}
    }
    Ok(())
}

async fn rpc(
    State(Shared { chain, faults }): State<Shared>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    body: Bytes,
) -> Response {
    let request = Body::read(&body);
    let Meeting {
        delay,
        fault,
        manner,
    } = faults.meet(&request.methods());
    tokio::time::sleep(delay).await;
    match fault {
        Some(Fault::Refuse) => {
            peer.cut_off();
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
        Some(Fault::Status(status)) => request.refuse_plainly(status, &manner),
        Some(Fault::Busy(busy)) => request.refuse_busy(busy),
        Some(Fault::Untracked) => request.look_up_untracked(&chain).await,
        Some(Fault::Error) => request.refuse(&internal("a fault injected on purpose")),
        Some(Fault::LoseAnswer) => {
            let answer = request.answer(&chain, Node::pick).await;
            peer.cut_off();
            answer
        }
        None => request.answer(&chain, Node::pick).await,
    }
}

/// `POST /admin/rpc`: the answer of a node that does not lag, without faults.
async fn rpc_at_head(State(chain): State<Chain>, body: Bytes) -> Response {
    Body::read(&body).answer(&chain, Node::at_head).await
}

/// Marks a response that a browser must not let a page read.
#[derive(Clone, Copy)]
struct WithoutCors;

async fn remove_cors_headers(mut response: Response) -> Response {
    if response.extensions().get::<WithoutCors>().is_some() {
        let headers = response.headers_mut();
        headers.remove(header::ACCESS_CONTROL_ALLOW_ORIGIN);
        headers.remove(header::ACCESS_CONTROL_ALLOW_CREDENTIALS);
        headers.remove(header::ACCESS_CONTROL_EXPOSE_HEADERS);
    }
    response
}

/// The body of a request, parsed as a node does.
enum Body {
    One(Request),
    /// A node refuses batches; this chain answers them as JSON-RPC 2.0 requires. `None` stands for an
    /// element that is not a request.
    Batch(Vec<Option<Request>>),
    Malformed(Box<RpcError>),
}

impl Body {
    fn read(body: &[u8]) -> Self {
        // A `Message` may nest batches, and parsing copies the whole value at each level, so enough
        // brackets would exhaust the memory.
        if body.trim_ascii_start().starts_with(b"[") {
            return Self::read_batch(body);
        }
        match message::from_slice(body) {
            Ok(Message::Request(request)) => Self::One(request),
            Ok(_) | Err(Broken::Unmatched(_)) => Self::malformed(NO_REQUEST),
            Err(Broken::SyntaxError(reason)) => Self::malformed(reason),
        }
    }

    fn read_batch(body: &[u8]) -> Self {
        let list = match serde_json::from_slice::<Vec<Value>>(body) {
            Ok(list) => list,
            Err(error) => return Self::malformed(error.to_string()),
        };
        if !(1..=MAX_BATCH).contains(&list.len()) {
            return Self::malformed(format!("A batch holds 1 to {MAX_BATCH} requests"));
        }
        let request = |value: Value| {
            // Serde would also accept a list of values in field order.
            let fields = value.is_object().then_some(value)?;
            serde_json::from_value(fields).ok()
        };
        Self::Batch(list.into_iter().map(request).collect())
    }

    fn malformed(reason: impl Into<String>) -> Self {
        Self::Malformed(Box::new(RpcError::parse_error(reason.into())))
    }

    /// The methods that the body names.
    fn methods(&self) -> Vec<&str> {
        match self {
            Self::One(request) => vec![&request.method],
            Self::Batch(list) => list
                .iter()
                .flatten()
                .map(|request| request.method.as_str())
                .collect(),
            Self::Malformed(_) => vec![],
        }
    }

    async fn answer(self, chain: &Chain, node: fn(&Chain) -> Node) -> Response {
        match self {
            Self::One(request) => reply(answer(&node(chain), request).await),
            Self::Batch(list) if node(chain).simple => {
                let mut answers = Vec::with_capacity(list.len());
                for request in list {
                    answers.push(match request {
                        Some(request) => answer(&node(chain), request).await.1,
                        None => no_request().1,
                    });
                }
                reply((StatusCode::OK, Value::Array(answers)))
            }
            Self::Batch(_) => reply(no_request()),
            Self::Malformed(error) => reply(response(Value::Null, Err(error))),
        }
    }

    /// The id of the only request.
    fn id(&self) -> Value {
        match self {
            Self::One(request) => request.id.clone(),
            Self::Batch(_) | Self::Malformed(_) => Value::Null,
        }
    }

    /// Answers with an HTTP status in the manner of a provider in front of the nodes.
    fn refuse_plainly(&self, status: StatusCode, manner: &Manner) -> Response {
        let reason = status.canonical_reason().unwrap_or_default();
        let mut refusal = match manner.body {
            FaultBody::Empty => status.into_response(),
            FaultBody::JsonRpc => {
                let error = json!({ "code": -i32::from(status.as_u16()), "message": reason });
                let body = json!({ "jsonrpc": "2.0", "id": self.id(), "error": error });
                reply((status, body))
            }
            FaultBody::Html => {
                let title = format!("{} {reason}", status.as_u16());
                let page = format!(
                    "<html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>"
                );
                (status, Html(page)).into_response()
            }
        };
        if let Some(retry_after) = &manner.retry_after {
            let headers = refusal.headers_mut();
            headers.insert(header::RETRY_AFTER, retry_after.clone());
        }
        if !manner.cors {
            refusal.extensions_mut().insert(WithoutCors);
        }
        refusal
    }

    /// Answers a request that sends as a node does whose shard takes no new transactions.
    fn refuse_busy(self, busy: InvalidTxError) -> Response {
        reply(match self {
            Self::One(Request {
                id, method, params, ..
            }) => response(id, transactions::refuse_busy(&method, params, busy)),
            Self::Batch(_) | Self::Malformed(_) => no_request(),
        })
    }

    /// Answers a look-up as a node does that does not track the signer's shard.
    async fn look_up_untracked(self, chain: &Chain) -> Response {
        reply(match self {
            Self::One(Request { id, params, .. }) => {
                let node = Node::pick(chain);
                response(id, transactions::look_up_untracked(&node, params).await)
            }
            Self::Batch(_) | Self::Malformed(_) => no_request(),
        })
    }

    /// Answers every request in the body with the same error.
    fn refuse(&self, error: &RpcError) -> Response {
        let refusal = |id| response(id, Err(Box::new(error.clone())));
        reply(match self {
            Self::One(request) => refusal(request.id.clone()),
            Self::Batch(list) => {
                let ids = list
                    .iter()
                    .map(|request| request.as_ref().map_or(Value::Null, |one| one.id.clone()));
                let answers = ids.map(|id| refusal(id).1).collect();
                (StatusCode::OK, Value::Array(answers))
            }
            Self::Malformed(_) => refusal(Value::Null),
        })
    }
}

/// Answers one request.
async fn answer(node: &Node, request: Request) -> (StatusCode, Value) {
    let answer = methods::call(node, &request.method, request.params).await;
    response(request.id, answer)
}

/// The answer to JSON that is not a request.
fn no_request() -> (StatusCode, Value) {
    let error = RpcError::parse_error(NO_REQUEST.to_owned());
    response(Value::Null, Err(Box::new(error)))
}

async fn health() -> Response {
    reply((StatusCode::OK, Value::Null))
}

async fn status(State(chain): State<Chain>) -> Response {
    reply(
        match methods::call(&Node::pick(&chain), "status", Value::Null).await {
            Ok(status) => (StatusCode::OK, status),
            Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, json!(*error)),
        },
    )
}

fn reply((status, body): (StatusCode, Value)) -> Response {
    (
        status,
        [(header::CONTENT_TYPE, "application/json")],
        body.to_string(),
    )
        .into_response()
}
